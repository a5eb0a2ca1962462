import type { Scope } from '../../db/scope.js';
import type { TenantQuery, TenantSql } from '../../db/tenant-sql.js';
import { recordTypeOf } from '../../records/index.js';
import { type EventSource, idsOf, type EventFilter, type WebhookEvent } from '../event.js';
import { logQueries } from './log-queries.js';

/** A change of a record as webhooks receive it. */
interface WebhookChange {
  readonly position: number;
  readonly operation: string;
  readonly dataModel: string;
  readonly svcCompanyId: number;
  readonly svcId: number;
  readonly connectionId: number;
  /** JSON text: the record as it is now in the documented shape; `null` when it is deleted. */
  readonly data: string;
  readonly changedAt: string;
}

/** Reads changes of an organisation after a position, and how far the log was read. */
export type ReadChanges = (
  scope: Scope,
  wanted: EventFilter & { readonly after: number; readonly max: number },
) => Promise<{ readonly changes: readonly WebhookChange[]; readonly end: number }>;

/** The changes that a webhook wants, in the order of their log. */
export function changeEvents(sql: TenantSql, read: ReadChanges, wanted: EventFilter): EventSource {
  const ids = idsOf('chg', sql.scope.organisationId);
  const toEvents = async (changes: readonly WebhookChange[]): Promise<WebhookEvent[]> => {
    const types = await integrationTypes(sql, changes);
    const left = await leftOf(
      sql,
      changes.filter(({ data }) => data === 'null'),
    );
    return changes.map((change) => ({
      id: ids.idOf(change.position),
      position: change.position,
      key: change.svcId,
      companyId: change.svcCompanyId,
      type: change.operation,
      dataModel: change.dataModel,
      body: bodyOf(
        ids.idOf(change.position),
        { ...change, data: left.get(change.svcId) ?? change.data },
        types.get(change.connectionId) ?? '',
      ),
    }));
  };
  const isWanted = (query: TenantQuery) =>
    [
      query.within('t'),
      ...(wanted.companyIds.length > 0
        ? [`t.svc_company_id = ANY(${query.bind(wanted.companyIds)}::bigint[])`]
        : []),
      ...(wanted.dataModels.length > 0
        ? [`t.data_model = ANY(${query.bind(wanted.dataModels)}::text[])`]
        : []),
      ...(wanted.operations.length > 0
        ? [`t.operation = ANY(${query.bind(wanted.operations)}::text[])`]
        : []),
    ].join(' AND ');
  return {
    ...ids,
    after: async (position, max) => {
      const { changes, end } = await read(sql.scope, { ...wanted, after: position, max });
      return { events: await toEvents(changes), end };
    },
    at: async (position) => {
      const { changes } = await read(sql.scope, { ...wanted, after: position - 1, max: 1 });
      return (await toEvents(changes.filter((change) => change.position === position)))[0] ?? null;
    },
    ...logQueries(sql, {
      table: 'record_changes',
      time: 'changed_at',
      ofKey: (query, { key, companyId }) =>
        `${isWanted(query)} AND t.svc_company_id = ${query.bind(companyId)} AND t.svc_id = ${query.bind(key)}`,
    }),
  };
}

/** Reference G14. The record is JSON text already. */
function bodyOf(id: string, change: WebhookChange, integrationType: string): string {
  const { operation, position, svcCompanyId, dataModel, changedAt, data } = change;
  const known = {
    type: operation,
    event_id: id,
    sequence: position,
    company_id: svcCompanyId,
    integration_type: integrationType,
    data_model: dataModel,
    created_at: changedAt,
  };
  return `${JSON.stringify(known).slice(0, -1)},"data":${data}}`;
}

/** By REST's names, as the event has them. */
interface DeletedRecord {
  readonly svc_id: number;
  readonly svc_company_id: number;
  readonly svc_created_at: string;
  readonly svc_updated_at: string;
  readonly platform_id: string;
  readonly svc_deleted_at: string | null;
}

/**
 * Identifying fields of deleted records, by svc_id: a receiver that knows them by `platform_id` could not tell which is
 * gone. For one that has been removed since, the fields in the change.
 */
async function leftOf(sql: TenantSql, gone: readonly WebhookChange[]): Promise<ReadonlyMap<number, string>> {
  const left = new Map(
    gone.map(({ svcId, svcCompanyId }) => [
      svcId,
      JSON.stringify({ svc_id: svcId, svc_company_id: svcCompanyId }),
    ]),
  );
  for (const dataModel of new Set(gone.map((change) => change.dataModel))) {
    const table = recordTypeOf(dataModel)?.table;
    if (table === undefined) continue;
    const changes = gone.filter((change) => change.dataModel === dataModel);
    const query = sql.query();
    const rows = await sql.rows<DeletedRecord>(
      query,
      `SELECT t.svc_id, t.svc_company_id, t.svc_created_at, t.svc_updated_at, t.platform_id, t.svc_deleted_at
       FROM ${table} t WHERE ${query.within('t')}
         AND t.svc_company_id = ANY(${query.bind([...new Set(changes.map((one) => one.svcCompanyId))])}::bigint[])
         AND t.svc_id = ANY(${query.bind([...new Set(changes.map((one) => one.svcId))])}::bigint[])`,
    );
    for (const row of rows) left.set(row.svc_id, JSON.stringify(row));
  }
  return left;
}

async function integrationTypes(
  sql: TenantSql,
  changes: readonly WebhookChange[],
): Promise<ReadonlyMap<number, string>> {
  if (changes.length === 0) return new Map();
  const query = sql.query();
  const distinct = (values: readonly number[]) => query.bind([...new Set(values)]);
  const rows = await sql.rows<{ svcId: number; integrationType: string }>(
    query,
    `SELECT t.svc_id AS "svcId", t.integration_type AS "integrationType" FROM connections t
     WHERE ${query.within('t')} AND t.svc_company_id = ANY(${distinct(changes.map((one) => one.svcCompanyId))}::bigint[])
       AND t.svc_id = ANY(${distinct(changes.map((one) => one.connectionId))}::bigint[])`,
  );
  return new Map(rows.map(({ svcId, integrationType }) => [svcId, integrationType]));
}
