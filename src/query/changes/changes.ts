import { setTimeout as sleep } from 'node:timers/promises';
import { type RecordsRead, STAMP } from '../../db/stamp.js';
import type { TenantQuery, TenantSql } from '../../db/tenant-sql.js';
import type { Position } from '../pages/position.js';
import { type Page, type PageRequest, toPage } from '../pages/page.js';
import { countShown, type LoggedChange } from './shown-changes.js';
import type { RawJson } from '../../base/raw-json.js';
import type { OwnedId } from '../owned-ids.js';

/** A row of the change log. */
export interface ListedChange {
  readonly position: number;
  readonly svcCompanyId: number;
  readonly connectionId: number;
  readonly dataModel: string;
  readonly svcId: number;
  readonly operation: string;
  /** Column names to values before and after; null where no field changed, and when the record is new or deleted. */
  readonly fields: RawJson | null;
  readonly causeType: string;
  readonly causeId: string | null;
  readonly changedAt: string;
}

/** Selects changes; null means all. */
interface ChangeFilter {
  readonly companyIds: readonly number[] | null;
  readonly dataModels: readonly string[] | null;
  readonly operations: readonly string[] | null;
}

/** The log from a position on, up to one page. */
interface ChangePage {
  readonly changes: readonly ListedChange[];
  /** How far the log was read. */
  readonly end: number;
  readonly hasMore: boolean;
  /** The last position of the log, and the last one that retention removed. */
  readonly head: number;
  readonly forgotten: number;
}

/** How long a page waits for records not yet visible on a node. */
const UNSHOWN_MS = 200;

/** Positions that one page covers: a filter without matches makes many quick pages of a long log, not a slow one. */
const MAX_EXAMINED = 20_000;

const COLUMNS = `t.position, t.svc_company_id AS "svcCompanyId", t.connection_id AS "connectionId",
  t.data_model AS "dataModel", t.svc_id AS "svcId", t.operation, t.changes AS fields, t.cause AS "causeType",
  t.cause_id AS "causeId", t.changed_at AS "changedAt"`;

type FoundChange = ListedChange & LoggedChange;

/** Comes with each change of a page, and by itself with an empty one. */
interface LogState {
  readonly head: number;
  readonly forgotten: number;
}

/** A page of the log after a position, or from its oldest change on. The log's state is read at the same moment. */
export async function readChanges(
  sql: TenantSql,
  {
    after,
    size,
    filter,
  }: { readonly after: number | null; readonly size: number; readonly filter: ChangeFilter },
): Promise<ChangePage> {
  const query = sql.query();
  const from = `GREATEST(${query.bind(after ?? 0)}::bigint, h.forgotten)`;
  const columns = sql.isCluster ? `${COLUMNS}, t.revision` : COLUMNS;
  const rows = await sql.rows<LogState & (FoundChange | { [Column in keyof FoundChange]: null })>(
    query,
    `SELECT h.position AS head, h.forgotten, c.* FROM change_heads h LEFT JOIN LATERAL (
      SELECT ${columns} FROM record_changes t WHERE ${query.within('t')} AND t.position > ${from}
        AND t.position <= LEAST(h.position, ${from} + ${MAX_EXAMINED})${filterSql(query, filter)}
      ORDER BY t.position LIMIT ${size + 1}) c ON true
    WHERE h.svc_organisation_id = $1 ORDER BY c.position`,
  );
  const { head, forgotten } = rows[0] ?? { head: 0, forgotten: 0 };
  const found = rows.filter((row): row is LogState & FoundChange => row.svcId !== null);
  const changes = found.slice(0, size);
  const start = Math.max(after ?? 0, forgotten);
  const last = changes.at(-1)?.position ?? start;
  const end = found.length > size ? last : Math.max(start, Math.min(head, start + MAX_EXAMINED));
  const shown = sql.isCluster ? await countShown(sql, changes) : changes.length;
  if (shown === changes.length) return { changes, end, hasMore: end < head, head, forgotten };
  // A reader that continues immediately, as there is more, finds it then.
  if (shown === 0) await sleep(UNSHOWN_MS);
  const visible = changes.slice(0, shown);
  return { changes: visible, end: (changes[shown]?.position ?? 0) - 1, hasMore: true, head, forgotten };
}

function filterSql(query: TenantQuery, { companyIds, dataModels, operations }: ChangeFilter): string {
  const among = (column: string, values: readonly unknown[] | null, type: string) =>
    values ? ` AND t.${column} = ANY(${query.bind(values)}::${type}[])` : '';
  return (
    among('svc_company_id', companyIds, 'bigint') +
    among('data_model', dataModels, 'text') +
    among('operation', operations, 'text')
  );
}

/** A page of the changes of each of some records, oldest first; by one statement. */
export async function readHistories(
  sql: TenantSql,
  records: readonly OwnedId[],
  page: PageRequest,
): Promise<Page<ListedChange>[]> {
  const query = sql.query();
  const companies = query.bind(records.map(({ svcCompanyId }) => svcCompanyId));
  const svcIds = query.bind(records.map(({ svcId }) => svcId));
  const order = page.reversed ? 'DESC' : 'ASC';
  const beyond = (position: Position | null, operator: string) =>
    position ? ` AND t.position ${operator} ${query.bind(position[0])}::bigint` : '';
  const [after, before] = page.reversed ? [page.until, page.from] : [page.from, page.until];
  const between = beyond(after, '>') + beyond(before, '<');
  const rows = await sql.rows<ListedChange & { place: number }>(
    query,
    `SELECT k.place, r.* FROM unnest(${companies}::bigint[], ${svcIds}::bigint[])
      WITH ORDINALITY AS k (company, record, place) CROSS JOIN LATERAL (
      SELECT ${COLUMNS} FROM record_changes t WHERE ${query.within('t')} AND t.svc_company_id = k.company
        AND t.svc_id = k.record${between}
      ORDER BY t.position ${order} LIMIT ${page.size + 1}) r ORDER BY k.place, r.position ${order}`,
  );
  const histories: ListedChange[][] = records.map(() => []);
  for (const row of rows) histories[row.place - 1]?.push(row);
  return histories.map((changes) => toPage(changes, page));
}

/** Changes by their positions, in any order. */
export function readChangesAt(sql: TenantSql, positions: readonly number[]): Promise<ListedChange[]> {
  const query = sql.query();
  return sql.rows<ListedChange>(
    query,
    `SELECT ${COLUMNS} FROM record_changes t
     WHERE ${query.within('t')} AND t.position = ANY(${query.bind(positions)}::bigint[])`,
  );
}

/** The last position of the log: later reads include all changes up to there. */
export async function readChangePosition(sql: TenantSql): Promise<string> {
  const query = sql.query();
  const rows = await sql.rows<{ position: number }>(
    query,
    'SELECT h.position FROM change_heads h WHERE h.svc_organisation_id = $1',
  );
  return String(rows[0]?.position ?? 0);
}

/** The stamp of data read from now on (see `Stamp`); null where the organisation has stored nothing. */
export async function readStamp(
  sql: TenantSql,
  { companyIds, dataModels }: RecordsRead,
): Promise<string | null> {
  const query = sql.query();
  query.bind(companyIds);
  query.bind(dataModels);
  const rows = await sql.quickRows<{ stamp: string }>(query, STAMP);
  return rows[0]?.stamp ?? null;
}
