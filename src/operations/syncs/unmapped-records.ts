import type { Context } from '../../context.js';
import type { RawJson } from '../../base/raw-json.js';
import { readByCompany } from '../../query/by-company.js';
import type { CountedConnection } from '../../query/pages/connection.js';
import { cursorsOf } from '../../query/pages/cursor.js';
import { orderOf, type OrderStep } from '../../query/pages/order.js';
import { readOwnedPages } from '../../query/pages/owned-pages.js';
import type { PageArguments } from '../../query/pages/page.js';
import type { ListedSync } from './syncs.js';

/** A platform object that could not be mapped, in raw form. */
export interface ListedUnmapped {
  readonly dataModel: string;
  readonly message: string;
  readonly rawData: RawJson;
  /** Its SHA-256. */
  readonly dataHash: string;
  readonly svcCreatedAt: string;
}

export type UnmappedConnection = CountedConnection<ListedUnmapped>;

const ascending = (name: keyof ListedUnmapped, column: string, sqlType: OrderStep['sqlType']): OrderStep => ({
  name,
  column,
  sqlType,
  direction: 'ASC',
  nullable: false,
});

const OLDEST_FIRST = orderOf([
  ascending('svcCreatedAt', 'svc_created_at', 'timestamptz'),
  ascending('dataModel', 'data_model', 'text'),
  ascending('dataHash', 'data_hash', 'text'),
]);
const UNMAPPED = { order: OLDEST_FIRST, cursors: cursorsOf('unmapped_records', OLDEST_FIRST) };

/** Objects that a run could not map, oldest first; the runs of one query part share a statement. */
export function listUnmapped(
  context: Context,
  { svcCompanyId, connectionId, svcId }: ListedSync,
  args: PageArguments,
): Promise<UnmappedConnection> {
  return context.loaders
    .of<UnmappedConnection>(`unmapped ${JSON.stringify(args)}`, (keys) =>
      readByCompany(context.sql, keys.map(parseKey), (runs) => readUnmapped(context, runs, args)),
    )
    .load(`${svcCompanyId}:${connectionId}:${svcId}`);
}

interface RunKey {
  readonly svcCompanyId: number;
  readonly connectionId: number;
  readonly svcId: number;
}

function parseKey(key: string): RunKey {
  const [svcCompanyId = 0, connectionId = 0, svcId = 0] = key.split(':').map(Number);
  return { svcCompanyId, connectionId, svcId };
}

function readUnmapped(
  context: Context,
  runs: readonly RunKey[],
  args: PageArguments,
): Promise<UnmappedConnection[]> {
  const companyIds = runs.map(({ svcCompanyId }) => svcCompanyId);
  return readOwnedPages<RunKey, ListedUnmapped>(context, runs, args, {
    list: UNMAPPED,
    keyOf: ({ svcCreatedAt, dataModel, dataHash }) => [svcCreatedAt, dataModel, dataHash],
    select: (query, rest) => {
      const companies = query.bind(companyIds);
      const connections = query.bind(runs.map(({ connectionId }) => connectionId));
      const syncs = query.bind(runs.map(({ svcId }) => svcId));
      return `SELECT k.place, u.* FROM unnest(${companies}::bigint[], ${connections}::bigint[], ${syncs}::bigint[])
          WITH ORDINALITY AS k (company, connection, sync, place)
        CROSS JOIN LATERAL (
          SELECT t.data_model AS "dataModel", t.message, t.raw_data AS "rawData", t.data_hash AS "dataHash",
            t.svc_created_at AS "svcCreatedAt"
          FROM unmapped_records t WHERE ${query.within('t')} AND t.svc_company_id = k.company
            AND ${query.ofCompanies(companyIds)}
            AND t.connection_id = k.connection AND t.sync_svc_id = k.sync${rest}
        ) u ORDER BY k.place`;
    },
    count: (run) => countUnmapped(context, run),
  });
}

function countUnmapped({ client, loaders }: Context, { svcCompanyId, svcId }: RunKey): Promise<number> {
  return loaders
    .of<number>('unmapped counts', async (keys) => {
      const runs = keys.map((key) => key.split(':').map(BigInt));
      const groups = await client.unmappedRecord.groupBy({
        by: ['svcCompanyId', 'syncSvcId'],
        where: { OR: runs.map(([company = 0n, sync = 0n]) => ({ svcCompanyId: company, syncSvcId: sync })) },
        _count: { _all: true },
      });
      const counts = new Map(
        groups.map((group) => [`${group.svcCompanyId}:${group.syncSvcId}`, group._count._all]),
      );
      return keys.map((key) => counts.get(key) ?? 0);
    })
    .load(`${svcCompanyId}:${svcId}`);
}
