import type { Context } from '../../context.js';

/** State of a field's index: not wanted, being built, or in use. */
type FieldIndexState = 'NONE' | 'BUILDING' | 'READY';

/** A mapping's index state, from the database's catalogue; mappings of one query part are read together. */
export async function fieldIndexState(
  context: Context,
  { svcId, isIndexed }: { readonly svcId: number; readonly isIndexed: boolean },
): Promise<FieldIndexState> {
  if (!isIndexed) return 'NONE';
  return context.loaders
    .of<FieldIndexState>('field indexes', async (svcIds) => {
      const query = context.sql.query();
      const rows = await context.sql.rows<{ svcId: number }>(
        query,
        `SELECT t.svc_id AS "svcId" FROM field_mappings t
         JOIN pg_class c ON c.relname = 'svc_field_' || t.svc_id || '_' || t.version
         JOIN pg_index i ON i.indexrelid = c.oid AND i.indisvalid
         WHERE t.svc_organisation_id = $1 AND t.svc_id = ANY(${query.bind(svcIds.map(Number))}::bigint[])`,
      );
      const ready = new Set(rows.map((row) => row.svcId));
      return svcIds.map((id) => (ready.has(Number(id)) ? 'READY' : 'BUILDING'));
    })
    .load(String(svcId));
}
