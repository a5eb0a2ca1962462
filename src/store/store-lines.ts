import type { TenantSql } from '../db/tenant-sql.js';
import { columnsSql, type Row } from '../query/columns.js';
import type { StoreTarget } from './change-log.js';
import { storeLinesSql } from './statements.js';
import type { RecordDefinition } from '../records/define.js';
import { matchLines, type StoredLine } from './line-identity.js';
import type { ReadyLine } from './ready-batch.js';
import { valuesRow } from './values-row.js';

/** The lines of one document that was stored. */
export interface DocumentLines {
  readonly parentSvcId: number;
  readonly parentPlatformId: string;
  /** False for a document that was never stored before: it has no lines yet. */
  readonly hadLines: boolean;
  readonly lines: readonly ReadyLine[];
}

/** Brings the lines of some documents up to date, within the transaction that stored the documents. */
export async function storeLines(
  sql: TenantSql,
  definition: RecordDefinition,
  target: StoreTarget,
  documents: readonly DocumentLines[],
): Promise<void> {
  const stored = await readStored(
    sql,
    definition,
    target,
    documents.filter(({ hadLines }) => hadLines).map(({ parentSvcId }) => parentSvcId),
  );
  const rows: Record<string, unknown>[] = [];
  const gone: number[] = [];
  for (const { parentSvcId, parentPlatformId, lines } of documents) {
    const known = stored.get(parentSvcId) ?? [];
    const matched = known.length === 0 ? [] : matchLines(known, lines.map(arrived));
    lines.forEach(({ platformId, values }, position) => {
      rows.push({
        ...values,
        svc_id: matched[position]?.svcId ?? null,
        parent_svc_id: parentSvcId,
        position,
        platform_id: platformId ?? `${parentPlatformId}:${position}`,
      });
    });
    const kept = new Set(matched.map((line) => line?.svcId));
    gone.push(...known.filter(({ svcId }) => !kept.has(svcId)).map(({ svcId }) => svcId));
  }
  if (gone.length > 0) {
    const query = sql.query();
    await sql.rows(
      query,
      `DELETE FROM ${definition.table} t WHERE ${query.within('t')}
       AND t.svc_company_id = ${query.bind(target.svcCompanyId)} AND t.svc_id = ANY(${query.bind(gone)}::bigint[])`,
    );
  }
  if (rows.length > 0) {
    const query = sql.query();
    await sql.rows(query, storeLinesSql(query, definition, target, JSON.stringify(rows)));
  }
}

/** The platform ids of the documents whose lines differ from the stored ones. */
export async function differingLines(
  sql: TenantSql,
  definition: RecordDefinition,
  target: StoreTarget,
  documents: readonly Pick<DocumentLines, 'parentSvcId' | 'parentPlatformId' | 'lines'>[],
): Promise<string[]> {
  const stored = await readStored(
    sql,
    definition,
    target,
    documents.map(({ parentSvcId }) => parentSvcId),
  );
  const contents = (lines: readonly { readonly content: string }[]) =>
    JSON.stringify(lines.map(({ content }) => content));
  return documents
    .filter(
      ({ parentSvcId, lines }) => contents(stored.get(parentSvcId) ?? []) !== contents(lines.map(arrived)),
    )
    .map(({ parentPlatformId }) => parentPlatformId);
}

async function readStored(
  sql: TenantSql,
  definition: RecordDefinition,
  target: StoreTarget,
  parents: readonly number[],
) {
  const byParent = new Map<number, StoredLine[]>();
  if (parents.length === 0) return byParent;
  const query = sql.query();
  const columns = columnsSql(definition, new Set(Object.keys(definition.fields)));
  const rows = await sql.rows<Row & Omit<StoredLine, 'content'> & { readonly parentSvcId: number }>(
    query,
    `SELECT t.parent_svc_id AS "parentSvcId", t.position, ${columns} FROM ${definition.table} t
     WHERE ${query.within('t')} AND t.svc_company_id = ${query.bind(target.svcCompanyId)}
     AND t.parent_svc_id = ANY(${query.bind(parents)}::bigint[]) ORDER BY t.position`,
  );
  for (const row of rows) {
    const group = byParent.get(row.parentSvcId) ?? [];
    byParent.set(row.parentSvcId, group);
    group.push({ ...row, content: contentOf(valuesRow(definition, row)) });
  }
  return byParent;
}

const arrived = ({ platformId, values }: ReadyLine) => ({ platformId, content: contentOf(values) });

/** Equal for equal lines: the values, decimals without trailing zeros as PostgreSQL may show them. */
function contentOf(values: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(values, (_name, value: unknown) =>
    typeof value === 'string' && /^-?\d+\.\d+$/.test(value) ? value.replace(/\.?0+$/, '') : value,
  );
}
