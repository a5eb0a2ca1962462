import type { PlatformObject } from '../connectors/platform.js';
import type { LookupNeed, Lookups, PullResource } from '../connectors/pull.js';
import type { TenantSql } from '../db/tenant-sql.js';
import { recordTypeOf } from '../records/index.js';
import type { StoreTarget } from './change-log.js';

/** The connection whose records are looked up. */
export type LookupTarget = Pick<StoreTarget, 'svcCompanyId' | 'connectionId'>;

interface Need extends LookupNeed {
  /** Absent: all that there are. */
  readonly values?: ReadonlySet<string>;
}

/** Reads the index that mappers look codes up in: stored records of the same connection. */
export async function loadLookups(
  sql: TenantSql,
  target: LookupTarget,
  needs: readonly Need[],
  baseCurrency: string | null,
): Promise<Lookups> {
  const index = new Map<string, string>();
  const keyOf = (...parts: readonly string[]) => JSON.stringify(parts);
  for (const { dataModel, field, values } of needs) {
    const definition = recordTypeOf(dataModel);
    const column = definition?.fields[field]?.wire;
    if (!definition || column === undefined) throw new Error(`there is no ${dataModel}.${field} to look up`);
    const query = sql.query();
    const which = values ? `= ANY(${query.bind([...values])}::text[])` : 'IS NOT NULL';
    const rows = await sql.rows<{ value: string; platformId: string }>(
      query,
      `SELECT t.${column} AS value, t.platform_id AS "platformId" FROM ${definition.table} t
       WHERE ${query.filtered('t')} AND t.svc_company_id = ${query.bind(target.svcCompanyId)}
       AND t.connection_id = ${query.bind(target.connectionId)} AND t.${column} ${which}
       AND t.svc_deleted_at IS NULL ORDER BY t.svc_id DESC`,
    );
    for (const { value, platformId } of rows) index.set(keyOf(dataModel, field, value), platformId);
  }
  return {
    baseCurrency,
    platformIdOf: (dataModel, field, value) => index.get(keyOf(dataModel, field, value)) ?? null,
  };
}

/** The same, read when first asked for. */
export function lookupsWhereAsked(...given: Parameters<typeof loadLookups>): () => Promise<Lookups> {
  let loading: Promise<Lookups> | undefined;
  return () => (loading ??= loadLookups(...given));
}

/**
 * Exactly the codes that the mapper of some objects looks up: mappers are pure, so a first pass over the objects
 * collects them.
 */
export async function lookupsFor(
  sql: TenantSql,
  target: LookupTarget,
  { resource, objects }: { readonly resource: PullResource; readonly objects: readonly PlatformObject[] },
  baseCurrency: string | null,
): Promise<Lookups> {
  const asked = new Map<string, LookupNeed & { readonly values: Set<string> }>();
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
      // The counting pass reports its error.
    }
  }
  return loadLookups(sql, target, [...asked.values()], baseCurrency);
}
