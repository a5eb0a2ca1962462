import type { Lookups, PlatformObject, PullResource } from '../connectors/connector.js';
import type { TenantSql } from '../db/tenant-sql.js';
import { recordTypeOf } from '../records/index.js';
import type { ReferenceTarget } from './references.js';

/**
 * What the mapper of some objects looks up, and no more: mappers are pure, so a first pass over the objects says what
 * they ask for.
 */
export async function lookupsFor(
  sql: TenantSql,
  target: ReferenceTarget,
  resource: PullResource,
  objects: readonly PlatformObject[],
  baseCurrency: string | null,
): Promise<Lookups> {
  const asked = new Map<string, { dataModel: string; field: string; values: Set<string> }>();
  const listening: Lookups = {
    baseCurrency,
    platformIdOf: (dataModel, field, value) => {
      const key = `${dataModel}.${field}`;
      let one = asked.get(key);
      if (!one) asked.set(key, (one = { dataModel, field, values: new Set() }));
      one.values.add(value);
      return null;
    },
  };
  for (const object of objects) {
    try {
      resource.toUnified(object, listening);
    } catch {
      // The pass that counts says what is wrong with it.
    }
  }
  const found = new Map<string, string>();
  const keyOf = (...parts: readonly string[]) => JSON.stringify(parts);
  for (const { dataModel, field, values } of asked.values()) {
    const definition = recordTypeOf(dataModel);
    const column = definition?.fields[field]?.wire;
    if (!definition || column === undefined) throw new Error(`there is no ${dataModel}.${field} to look up`);
    const query = sql.query();
    const rows = await sql.rows<{ value: string; platformId: string }>(
      query,
      `SELECT t.${column} AS value, t.platform_id AS "platformId" FROM ${definition.table} t
       WHERE ${query.filtered('t')} AND t.svc_company_id = ${query.bind(target.svcCompanyId)}
         AND t.connection_id = ${query.bind(target.connectionId)}
         AND t.${column} = ANY(${query.bind([...values])}::text[]) AND t.svc_deleted_at IS NULL ORDER BY t.svc_id DESC`,
    );
    for (const { value, platformId } of rows) found.set(keyOf(dataModel, field, value), platformId);
  }
  return {
    baseCurrency,
    platformIdOf: (dataModel, field, value) => found.get(keyOf(dataModel, field, value)) ?? null,
  };
}
