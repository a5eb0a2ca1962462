import type { TenantSql } from '../db/tenant-sql.js';
import type { RecordDefinition } from '../records/define.js';
import { columnsSql, type Row } from './columns.js';
import type { OwnedId } from './owned-ids.js';

/** The complete lines of some documents, in order, by the document's svc_id. One statement. */
export async function readLines(
  sql: TenantSql,
  definition: RecordDefinition,
  columns: ReadonlySet<string>,
  parents: readonly OwnedId[],
): Promise<Map<number, Row[]>> {
  const query = sql.query();
  const within = query.filtered('t');
  const companies = [...new Set(parents.map(({ svcCompanyId }) => svcCompanyId))];
  const parentIds = parents.map(({ svcId }) => svcId);
  const select = `t.parent_svc_id AS "parentSvcId", ${columnsSql(definition, columns)}`;
  const text =
    companies.length === 1
      ? `SELECT ${select} FROM ${definition.table} t WHERE ${within}
           AND t.svc_company_id = ${query.bind(companies[0])}::bigint
           AND t.parent_svc_id = ANY(${query.bind(parentIds)}::bigint[])
           ORDER BY t.parent_svc_id, t.position`
      : `SELECT ${select} FROM unnest(${query.bind(parents.map(({ svcCompanyId }) => svcCompanyId))}::bigint[],
           ${query.bind(parentIds)}::bigint[]) AS k (company, parent)
           JOIN ${definition.table} t ON t.svc_company_id = k.company AND t.parent_svc_id = k.parent
           WHERE ${within} AND ${query.ofCompanies(companies)} ORDER BY t.parent_svc_id, t.position`;
  const byParent = new Map<number, Row[]>();
  for (const row of await sql.quickRows<Row & { parentSvcId: number }>(query, text)) {
    const group = byParent.get(row.parentSvcId);
    if (group) group.push(row);
    else byParent.set(row.parentSvcId, [row]);
  }
  return byParent;
}
