import { setMaxListeners } from 'node:events';
import type { Logger } from 'pino';
import type { Database } from './db/database.js';
import type { HeldRows } from './db/rows/held-rows.js';
import { type Pages, uncountedPages } from './db/rows/held-pages.js';
import { organisationScope, type Scope } from './db/scope.js';
import type { RecordsRead, Stamp } from './db/stamp.js';
import type { TenantClient } from './db/tenant-client.js';
import type { ReadOptions, StatementCount, TenantSql } from './db/tenant-sql.js';
import type { Wakes } from './db/wakes.js';
import type { Path } from './errors.js';
import type { ReadChanges } from './events/sources/change-events.js';
import type { ReceivedFile } from './files/file-store.js';
import type { Files } from './files/index.js';
import type { Limits } from './limits.js';
import type { OutboundCaller } from './outbound/caller.js';
import type { PlatformUrls } from './platforms/settings.js';
import type { SecretBox } from './secrets/secret-box.js';
import { Loaders } from './loaders/loaders.js';
import type { HeaderKey } from './writes/header-key.js';

/** The caller: a key of an organisation. */
interface Principal {
  readonly keyId: string;
  readonly scopes: ReadonlySet<string>;
}

/** Statistics of a request for its log line. */
export interface Tally extends StatementCount {
  /** The name of its GraphQL operation, else its kind; null if it has none. */
  operation: string | null;
}

/** An empty tally. */
export const newTally = (): Tally => ({ statements: 0, operation: null });

/** A conditional request: the version that the caller already has. */
export interface Condition {
  readonly stamp: Stamp;
  /** Whether the response would be the same for these records now. Called before the response's data is read. */
  isUnchanged(sql: TenantSql, reads: RecordsRead): Promise<boolean>;
}

/** Context of a request's resolvers; all data access is within the caller's scope. */
export interface Context {
  readonly requestId: string;
  readonly principal: Principal;
  readonly tally: Tally;
  readonly sql: TenantSql;
  /** The same for lists of records: may read at a replica, read-only. */
  readonly lists: TenantSql;
  readonly client: TenantClient;
  readonly loaders: Loaders;
  /** Notifications about what other processes store. */
  readonly wakes: Wakes;
  /** Decrypts secrets at rest; the key's scopes decide what it may see. */
  readonly secrets: SecretBox;
  /** Base URLs that replace the platforms' usual ones. */
  readonly urls: PlatformUrls;
  readonly files: Files;
  /** Calls addresses that callers type in. */
  readonly outbound: OutboundCaller;
  /** Reads the record changes for webhooks. */
  readonly readChanges: ReadChanges;
  /** A file uploaded with the request; its receiver discards it. */
  readonly received?: ReceivedFile;
  /** Set for a GraphQL request with the header `Idempotency-Key`. */
  readonly headerKey?: HeaderKey;
  /** Null if the response is always sent in full. */
  readonly condition: Condition | null;
  /** Renders a field path in the names of the caller's API style. */
  readonly inCallersNames: (path: Path) => Path;
  /** Where end customers reach this service, without a slash at the end. */
  readonly publicUrl: string;
  readonly limits: Limits;
  /** Counts the rows read; null if they are not held for a response. */
  readonly held: HeldRows | null;
  /** Aborted when the rows of `sql` are no longer needed. */
  readonly ending: AbortController;
  /** Calls `work` if the caller disconnects before the response; the returned function cancels that. */
  readonly whenLeft: (work: () => void) => () => void;
  /** Fresh parts for later reads: loaders cache, and an abort is final. */
  readonly renew: (held: HeldRows | null) => Pick<Context, 'ending' | 'sql' | 'lists' | 'loaders' | 'held'>;
  /** Reads the pages of long responses. */
  readonly pages: Pages;
  /** Aborted when the service stops: requests that wait for a platform are answered immediately. */
  readonly stopping: AbortSignal;
  readonly log: Logger;
}

/** Parts of a context that are the same for every caller. */
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
    // A query may run many statements concurrently.
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

/** A fresh context of the same caller for later reads, counted by `held`. */
export const renewContext = (context: Context, held: HeldRows | null = null): Context => ({
  ...context,
  ...context.renew(held),
});

/** A read-only context for the service's own reads in an organisation, without a caller. */
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
