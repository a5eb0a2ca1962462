import type { Database } from '../db/database.js';
import type { PlatformWays } from '../platforms/reach.js';
import type { SecretBox } from '../secrets/secret-box.js';
import type { Logger } from '../telemetry/log.js';

/** Dependencies of connecting. */
export interface ConnectServices extends PlatformWays {
  readonly database: Database;
  readonly secrets: SecretBox;
  readonly log: Pick<Logger, 'warn'>;
}
