import { setMaxListeners } from 'node:events';
import type { Logger } from 'pino';
import type { Database } from './db/database.js';
import type { HeldRows } from './db/held-rows.js';
import { type Pages, uncountedPages } from './db/held-pages.js';
import { organisationScope, type Scope } from './db/scope.js';
import type { RecordsRead, Stamp } from './db/stamp.js';
import type { TenantClient } from './db/tenant-client.js';
import type { ReadOptions, StatementCount, TenantSql } from './db/tenant-sql.js';
import type { Wakes } from './db/wakes.js';
import type { Path } from './errors.js';
import type { ReadChanges } from './events/change-events.js';
import type { ReceivedFile } from './files/file-store.js';
import type { Files } from './files/index.js';
import type { Limits } from './limits.js';
import type { OutboundCaller } from './outbound/caller.js';
import type { PlatformUrls } from './platforms/settings.js';
import type { SecretBox } from './secrets/secret-box.js';
import { Loaders } from './loaders/loaders.js';

/** Who calls: a key of an organisation. */
interface Principal {
  readonly keyId: string;
  readonly scopes: ReadonlySet<string>;
}

/** What a request has done, for its line in the log. */
export interface Tally extends StatementCount {
  /** The name of its GraphQL operation, else its kind; null where it has none. */
  operation: string | null;
}

/** Nothing yet. */
export const newTally = (): Tally => ({ statements: 0, operation: null });

/** What a caller has of an answer already. */
export interface Condition {
  readonly stamp: Stamp;
  /** Whether that is what would be made of these records now. Called before anything of the answer is read. */
  isUnchanged(sql: TenantSql, reads: RecordsRead): Promise<boolean>;
}

/** What a request's resolvers work with; everything that touches data is inside the caller's scope. */
export interface Context {
  readonly requestId: string;
  readonly principal: Principal;
  readonly tally: Tally;
  readonly sql: TenantSql;
  /** The same for what lists show of records: it may be read at a replica, and nothing is written here. */
  readonly lists: TenantSql;
  readonly client: TenantClient;
  readonly loaders: Loaders;
  /** News of what others store, for who follows it. */
  readonly wakes: Wakes;
  /** Opens secrets that are at rest; what a key may see of them is its scopes' matter. */
  readonly secrets: SecretBox;
  /** Addresses of platforms that are not at their usual ones. */
  readonly urls: PlatformUrls;
  readonly files: Files;
  /** Calls addresses that callers type in. */
  readonly outbound: OutboundCaller;
  /** What webhooks are told of records. */
  readonly readChanges: ReadChanges;
  /** A file that came with the request; its receiver discards it. */
  readonly received?: ReceivedFile;
  /** Null where every answer is sent. */
  readonly condition: Condition | null;
  /** A path of field names in the names of the caller's style. */
  readonly inCallersNames: (path: Path) => Path;
  /** Where end customers reach this service, without a slash at the end. */
  readonly publicUrl: string;
  readonly limits: Limits;
  /** Counts the rows that are read; null where they are not kept for an answer. */
  readonly held: HeldRows | null;
  /** To abort when nobody waits for the rows of `sql` any more. */
  readonly ending: AbortController;
  /** Calls `work` when the caller leaves before the answer, until what it returns is called. */
  readonly whenLeft: (work: () => void) => () => void;
  /** For what is read later: loaders remember what they have loaded, and an end is for good. */
  readonly renew: (held: HeldRows | null) => Pick<Context, 'ending' | 'sql' | 'lists' | 'loaders' | 'held'>;
  /** How the pages of long answers are read. */
  readonly pages: Pages;
  /** Aborted while the service stops: requests that wait for a platform are answered now. */
  readonly stopping: AbortSignal;
  readonly log: Logger;
}

/** What contexts are made of, the same for every caller. */
export interface Surroundings extends Pick<
  Context,
  'secrets' | 'urls' | 'files' | 'outbound' | 'readChanges' | 'limits' | 'stopping'
> {
  readonly database: Database;
  /** Where end customers reach this service, without a slash at the end; known when it listens. */
  publicUrl(): string;
}

interface Caller extends Pick<Context, 'requestId' | 'principal' | 'tally' | 'log' | 'whenLeft'> {
  readonly scope: Scope;
  /** The last position of the change log that the caller has seen. */
  readonly position?: number;
  readonly condition?: Condition | null;
  readonly held?: HeldRows | null;
  readonly pages?: Pages;
}

/** The context of one request. */
export function createContext(
  surroundings: Surroundings,
  { scope, position = 0, condition = null, held = null, pages = uncountedPages, ...caller }: Caller,
): Context {
  const { database, secrets, urls, files, outbound, readChanges, limits, stopping } = surroundings;
  const client = database.client(scope, caller.tally);
  const begin = ({ stamp, held }: Pick<ReadOptions, 'stamp' | 'held'> = {}) => {
    const ending = new AbortController();
    // A query may have many statements under way.
    setMaxListeners(0, ending.signal);
    const options = { ending: ending.signal, count: caller.tally, stamp, held };
    const sql = database.sql(scope, options);
    const lists = database.replicas ? database.lists(scope, { ...options, position }) : sql;
    return { ending, sql, lists, loaders: new Loaders({ sql, lists, client }) };
  };
  return {
    ...caller,
    ...begin({ stamp: condition?.stamp, held: held ?? undefined }),
    renew: (rows) => ({ ...begin({ held: rows ?? undefined }), held: rows }),
    pages,
    condition,
    held,
    client,
    wakes: database.wakes,
    secrets,
    urls,
    files,
    outbound,
    readChanges,
    inCallersNames: (path) => path,
    publicUrl: surroundings.publicUrl(),
    limits,
    stopping,
  };
}

/** The same caller's, for what is read later; `held` counts that. */
export const renewed = (context: Context, held: HeldRows | null = null): Context => ({
  ...context,
  ...context.renew(held),
});

/** The context of the service's own reading in an organisation, for which nobody has called: it may do nothing else. */
export function createServiceContext(
  surroundings: Surroundings,
  caller: Pick<Context, 'requestId' | 'log'> & { readonly organisationId: number },
): Context {
  const { organisationId, requestId, log } = caller;
  return createContext(surroundings, {
    scope: organisationScope(organisationId),
    principal: { keyId: 'service', scopes: new Set(['read']) },
    tally: newTally(),
    requestId,
    log,
    whenLeft: () => () => undefined,
  });
}
