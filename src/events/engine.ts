import type { Database } from '../db/database.js';
import type { Logger } from '../telemetry/log.js';
import type { OutboundCaller } from '../outbound/caller.js';
import type { SecretBox } from '../secrets/secret-box.js';
import type { ReadChanges } from './sources/change-events.js';
import type { Random } from './turn/schedule.js';

/** Dependencies of sending events, in every process that sends them. */
export interface EventEngine {
  readonly database: Database;
  readonly secrets: SecretBox;
  readonly outbound: OutboundCaller;
  readonly readChanges: ReadChanges;
  readonly log: Logger;
  /** Clock by which attempts are made and postponed. */
  readonly now: () => Date;
  readonly random: Random;
}
