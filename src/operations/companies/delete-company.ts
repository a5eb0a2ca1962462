import { endUnchosen } from '../../connect/granted-access.js';
import { databaseTime } from '../../db/clock.js';
import type { Context } from '../../context.js';
import type { TenantQuery, TenantSql } from '../../db/tenant-sql.js';
import { AppError } from '../../errors.js';
import { companyFolder } from '../../files/file-key.js';
import { lineTypes, records } from '../../records/index.js';
import { endConnections } from '../connections/disconnect.js';
import { requireCompany } from './require-company.js';
import { requireScope } from '../keys/require-scope.js';

/** A connection that ended with its company. */
export interface EndedPlatform {
  readonly svcId: number;
  readonly integrationType: string;
  readonly accountName: string | null;
  readonly wasPlatformTold: boolean;
}

/** Data removed with a company. */
interface RemovedCompany {
  readonly name: string;
  readonly records: number;
  readonly lines: number;
  readonly changes: number;
  readonly syncs: number;
  readonly unmapped: number;
  readonly connections: readonly EndedPlatform[];
}

const RECORD_TABLES = records.map(({ table }) => table);
const LINE_TABLES = lineTypes.map(({ table }) => table);
/** Tables of a company's records that responses show. */
const SHOWN: ReadonlySet<string> = new Set([...RECORD_TABLES, ...LINE_TABLES]);

/** Tables deleted in batches before the connections, which would cascade to all of it in one statement. */
const BEFORE_CONNECTIONS = [
  'sync_seen',
  'unmapped_records',
  'sync_jobs',
  'syncs',
  'idempotency_keys',
  'upload_items',
  'uploads',
  'document_files',
  ...LINE_TABLES,
  ...RECORD_TABLES,
];
/** The texts that receivers answered, and what waits for them: removed in batches before and after the last step. */
const OF_WEBHOOKS: ReadonlySet<string> = new Set(['webhook_deliveries', 'webhook_holds']);
/** Few rows, needed until the end: they prevent new connections while the company is being removed. */
const LAST = ['authorizations', 'invite_links', 'sync_marks', 'sync_configs', 'activities', 'service_events'];

/** Rows per statement: other writers of the organisation wait no longer than for a stored batch. */
const BATCH = 5000;

/**
 * Removes a company and all its data: first the access to its platforms, then its data in batches. Repeating the
 * request completes an interrupted deletion. Throws `not-found`.
 */
export async function deleteCompany(context: Context, svcId: number): Promise<RemovedCompany> {
  requireScope(context, 'write', 'delete companies');
  const { sql } = context;
  const company = await requireCompany(context.client, svcId, 'svcId');
  const ended = new Map<number, EndedPlatform>();
  const endAll = async (which?: AccessFilter) => {
    for (const one of await endAccesses(context, svcId, which)) ended.set(one.svcId, one);
  };
  await endAll();
  const removed = new Removed();
  for (const table of BEFORE_CONNECTIONS) await emptyTable(sql, table, svcId, removed);
  // Emptying the tables may take minutes, during which a new link and connection can be created.
  await endAll({ status: { not: 'DISCONNECTED' } });
  // Includes rows stored meanwhile. Nothing is stored from here on: writers lock the connection's row (see
  // `storeBatch`).
  await passing(sql, svcId, (transaction) => removeRows(transaction, 'connections', svcId, removed));
  await inBatches(() => removeChanges(sql, svcId, removed));
  for (const table of OF_WEBHOOKS) await emptyTable(sql, table, svcId, removed);
  await removeFiles(context, svcId);
  await removeRest(sql, { svcId, keyId: context.principal.keyId }, removed);
  // Also those of uploads and downloads that were in flight. The company is gone: there is nothing to repeat.
  await removeFiles(context, svcId).catch((error: unknown) =>
    context.log.warn({ err: error, companyId: svcId }, 'files of a deleted company may be left'),
  );
  // And what a receiver answered during the last step; later answers are not stored (see `webhook-state.ts`).
  const late = async () => {
    for (const table of OF_WEBHOOKS) await emptyTable(sql, table, svcId, removed);
  };
  await late().catch((error: unknown) =>
    context.log.warn({ err: error, companyId: svcId }, 'deliveries of a deleted company may be left'),
  );
  context.log.info({ companyId: svcId, removed: removed.entries() }, 'a company was deleted');
  return {
    name: company.name,
    records: removed.of(RECORD_TABLES),
    lines: removed.of(LINE_TABLES),
    changes: removed.of(['record_changes']),
    syncs: removed.of(['syncs']),
    unmapped: removed.of(['unmapped_records']),
    connections: [...ended.values()],
  };
}

const removeFiles = ({ files, sql }: Context, svcId: number): Promise<void> =>
  files.store.removeFolder(companyFolder(sql.scope.organisationId, svcId));

interface AccessFilter {
  readonly status?: { readonly not: string };
}

/** Revokes a company's links, then ends its connections and what was offered by links. */
async function endAccesses(
  context: Context,
  svcId: number,
  which: AccessFilter = {},
): Promise<EndedPlatform[]> {
  const { client } = context;
  const ofCompany = { svcCompanyId: BigInt(svcId) };
  // First of all: the holder of a link must not reconnect what has just ended.
  await client.inviteLink.updateMany({
    where: { ...ofCompany, revokedAt: null },
    data: { revokedAt: databaseTime() },
  });
  await endUnchosen(context, { svcCompanyId: svcId });
  const rows = await client.connection.findMany({
    where: { ...ofCompany, ...which },
    orderBy: { svcId: 'asc' },
  });
  const connections = rows.map((row) => ({ ...row, svcId: Number(row.svcId) }));
  const revoked = await endConnections(context, svcId, connections);
  return connections.map(({ svcId: connectionId, integrationType, accountName }, index) => ({
    svcId: connectionId,
    integrationType,
    accountName,
    wasPlatformTold: revoked[index] ?? false,
  }));
}

/** Number of rows removed, by table. */
class Removed {
  readonly #counts = new Map<string, number>();

  add(table: string, count: number): number {
    this.#counts.set(table, (this.#counts.get(table) ?? 0) + count);
    return count;
  }

  of(tables: readonly string[]): number {
    return tables.reduce((sum, table) => sum + (this.#counts.get(table) ?? 0), 0);
  }

  entries(): Record<string, number> {
    return Object.fromEntries([...this.#counts].filter(([, count]) => count > 0));
  }
}

/**
 * The last step, in one transaction: locks out the organisation's other writers, then removes late rows and the company
 * itself.
 */
async function removeRest(
  sql: TenantSql,
  { svcId, keyId }: { readonly svcId: number; readonly keyId: string },
  removed: Removed,
): Promise<void> {
  await passing(sql, svcId, async (transaction) => {
    for (const table of [...BEFORE_CONNECTIONS, 'connections', ...LAST])
      await removeRows(transaction, table, svcId, removed);
    await inBatches(() => removeChanges(transaction, svcId, removed));
    const event = transaction.query();
    await transaction.rows(
      event,
      `INSERT INTO audit_events (svc_organisation_id, svc_company_id, event_type, key_id, subject)
       SELECT t.svc_organisation_id, t.svc_id, 'COMPANY_REMOVED', ${event.bind(keyId)}, t.name
       FROM companies t WHERE ${event.within('t', 'svc_id')} AND t.svc_id = ${event.bind(svcId)}`,
    );
    const query = transaction.query();
    const gone = await transaction.rows(
      query,
      `DELETE FROM companies t WHERE ${query.within('t', 'svc_id')} AND t.svc_id = ${query.bind(svcId)} RETURNING 1`,
    );
    // Another request has deleted it meanwhile.
    if (gone.length === 0) throw new AppError('not-found', 'there is no such company', 'svcId');
  });
}

async function removeRows(sql: TenantSql, table: string, svcId: number, removed: Removed): Promise<void> {
  const query = sql.query();
  const rows = await sql.rows<{ count: number }>(
    query,
    `WITH gone AS (DELETE FROM ${table} t WHERE ${companyRows(query, 't', svcId)} RETURNING 1)
     SELECT count(*) AS count FROM gone`,
  );
  removed.add(table, rows[0]?.count ?? 0);
}

async function emptyTable(sql: TenantSql, table: string, svcId: number, removed: Removed): Promise<void> {
  const column = OF_WEBHOOKS.has(table) ? 'company_id' : 'svc_company_id';
  const removeSome = async (by: TenantSql) => {
    const query = by.query();
    const some = `SELECT s.ctid FROM ${table} s WHERE ${companyRows(query, 's', svcId, column)} LIMIT ${BATCH}`;
    const rows = await by.rows<{ count: number }>(
      query,
      `WITH gone AS (DELETE FROM ${table} t WHERE ${companyRows(query, 't', svcId, column)} AND t.ctid = ANY(ARRAY(${some})) RETURNING 1)
       SELECT count(*) AS count FROM gone`,
    );
    return removed.add(table, rows[0]?.count ?? 0);
  };
  await inBatches(() => (SHOWN.has(table) ? passing(sql, svcId, removeSome) : removeSome(sql)));
}

/** Runs `work` in a transaction that advances the log's head: responses from before must not be reused. */
const passing = <Result>(
  sql: TenantSql,
  svcId: number,
  work: (transaction: TenantSql) => Promise<Result>,
): Promise<Result> =>
  sql.transaction(async (transaction) => {
    await passChange(transaction, svcId);
    return work(transaction);
  });

/**
 * Locks out the organisation's other writers, and advances its log's head: reads at replicas wait until they show
 * nothing of the company. By a function of the owner, as for deleting the log's rows: on a cluster only one login may
 * change a node's data in a transaction.
 */
async function passChange(sql: TenantSql, svcId: number): Promise<void> {
  const query = sql.query();
  await sql.rows(
    query,
    `SELECT svc_pass_change(t.svc_organisation_id)
     FROM companies t WHERE ${query.within('t', 'svc_id')} AND t.svc_id = ${query.bind(svcId)}`,
  );
}

/** The change log: only the owner's function may delete from it. */
async function removeChanges(sql: TenantSql, svcId: number, removed: Removed): Promise<number> {
  const query = sql.query();
  const rows = await sql.rows<{ count: number }>(
    query,
    `SELECT svc_remove_changes(t.svc_organisation_id, t.svc_id, ${BATCH}) AS count
     FROM companies t WHERE ${query.within('t', 'svc_id')} AND t.svc_id = ${query.bind(svcId)}`,
  );
  return removed.add('record_changes', rows[0]?.count ?? 0);
}

/** Repeats until a batch is not full. */
async function inBatches(remove: () => Promise<number>): Promise<void> {
  while ((await remove()) === BATCH);
}

const companyRows = (query: TenantQuery, alias: string, svcId: number, column = 'svc_company_id'): string =>
  `${query.within(alias, column)} AND ${alias}.${column} = ${query.bind(svcId)}`;
