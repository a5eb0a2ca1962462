import type { Logger } from 'pino';
import type { TenantClient } from './db/tenant-client.js';
import type { TenantSql } from './db/tenant-sql.js';
import type { Path } from './errors.js';
import type { ReceivedFile } from './files/file-store.js';
import type { Files } from './files/index.js';
import type { Limits } from './limits.js';
import type { PlatformUrls } from './platforms/settings.js';
import type { SecretBox } from './secrets/secret-box.js';
import type { Loaders } from './loaders/loaders.js';

/** Who calls: a key of an organisation. */
interface Principal {
  readonly keyId: string;
  readonly scopes: ReadonlySet<string>;
}

/** What a request's resolvers work with; everything that touches data is inside the caller's scope. */
export interface Context {
  readonly requestId: string;
  readonly principal: Principal;
  readonly sql: TenantSql;
  readonly client: TenantClient;
  readonly loaders: Loaders;
  /** Opens secrets that are at rest; what a key may see of them is its scopes' matter. */
  readonly secrets: SecretBox;
  /** Addresses of platforms that are not at their usual ones. */
  readonly urls: PlatformUrls;
  readonly files: Files;
  /** A file that came with the request; whoever received it discards it. */
  readonly received?: ReceivedFile;
  /** A path of field names in the names of the caller's style. */
  readonly inCallersNames: (path: Path) => Path;
  /** Where end customers reach this service, without a slash at the end. */
  readonly publicUrl: string;
  readonly limits: Limits;
  /** To abort when nobody waits for the rows of `sql` any more. */
  readonly ending: AbortController;
  /** Calls `work` when the caller leaves before the answer. */
  readonly whenLeft: (work: () => void) => void;
  /** Aborted while the service stops: whoever waits for a platform answers now. */
  readonly stopping: AbortSignal;
  readonly log: Logger;
}
