import type { NamedRecord } from '../connectors/inputs/schema.js';
import type { ReferenceNeed, References } from '../connectors/push.js';
import type { TenantSql } from '../db/tenant-sql.js';
import { recordTypeOf } from '../records/index.js';
import type { LookupTarget } from './lookups.js';

type ReferredRecord = Pick<NamedRecord, 'dataModel' | 'platformId'>;

/** Stored data of the records that items name. */
export interface KnownReferences extends References {
  isKnown(dataModel: string, platformId: string): boolean;
}

/** Reads the records that mappers look up, one statement per record type, and the records that these name in turn. */
export async function loadReferences(
  sql: TenantSql,
  target: LookupTarget,
  named: readonly ReferredRecord[],
  reads: readonly ReferenceNeed[],
): Promise<KnownReferences> {
  const known = new Map<string, Readonly<Record<string, string | null>>>();
  const keyOf = (dataModel: string, platformId: string) => `${dataModel} ${platformId}`;
  async function read(wanted: readonly ReferredRecord[]): Promise<ReferredRecord[]> {
    const further: ReferredRecord[] = [];
    for (const dataModel of new Set(wanted.map((one) => one.dataModel))) {
      const ids = new Set(wanted.filter((one) => one.dataModel === dataModel).map((one) => one.platformId));
      const needs = reads.filter((one) => one.dataModel === dataModel);
      const by = needs.flatMap((need) => ('field' in need ? (need.by ?? []) : []));
      const fields = [...new Set([...needs.flatMap((need) => ('field' in need ? need.field : [])), ...by])];
      const places = needs.flatMap((need) => ('raw' in need ? need.raw : []));
      const rows = await readNamed(sql, target, { dataModel, platformIds: [...ids], by, fields, places });
      for (const [field, row] of by.flatMap((field) => rows.map((row) => [field, row] as const))) {
        const value = row[field] ?? null;
        if (value !== null && ids.has(value)) known.set(keyOf(dataModel, value), row);
      }
      for (const row of rows) {
        known.set(keyOf(dataModel, row.platformId), row);
        for (const need of needs) {
          if (!('field' in need) || need.names === undefined) continue;
          const { field, names } = need;
          const platformId = row[field] ?? null;
          if (platformId !== null) further.push({ dataModel: names, platformId });
        }
      }
    }
    return further.filter((one) => !known.has(keyOf(one.dataModel, one.platformId)));
  }
  const further = await read(named);
  if (further.length > 0) await read(further);
  return {
    isKnown: (dataModel, platformId) => known.has(keyOf(dataModel, platformId)),
    valueOf: (dataModel, field, platformId) => known.get(keyOf(dataModel, platformId))?.[field] ?? null,
    rawValueOf: (dataModel, place, platformId) =>
      known.get(keyOf(dataModel, platformId))?.[rawColumn(place)] ?? null,
  };
}

interface Named {
  readonly dataModel: string;
  readonly platformIds: readonly string[];
  /** Fields by which they may be named as well. */
  readonly by: readonly string[];
  readonly fields: readonly string[];
  /** In what the platform sent. */
  readonly places: readonly string[];
}

const rawColumn = (place: string): string => `raw ${place}`;

async function readNamed(
  sql: TenantSql,
  { svcCompanyId, connectionId }: LookupTarget,
  { dataModel, platformIds, by, fields, places }: Named,
): Promise<({ readonly platformId: string } & Readonly<Record<string, string | null>>)[]> {
  const definition = recordTypeOf(dataModel);
  if (!definition) throw new Error(`there is no record type ${dataModel} to refer to`);
  const query = sql.query();
  const columnOf = (field: string) => {
    const column = definition.fields[field]?.wire;
    if (column === undefined) throw new Error(`${dataModel} has no field ${field}`);
    return `t.${column}::text`;
  };
  const columns = fields.map((field) => `${columnOf(field)} AS "${field}"`);
  const raw = places.map(
    (place) => `t.raw_data #>> ${query.bind(place.split('.'))}::text[] AS "${rawColumn(place)}"`,
  );
  const ids = query.bind(platformIds);
  const named = ['t.platform_id', ...by.map(columnOf)].map((column) => `${column} = ANY(${ids}::text[])`);
  return sql.rows(
    query,
    `SELECT ${['t.platform_id AS "platformId"', ...columns, ...raw].join(', ')} FROM ${definition.table} t
     WHERE ${query.filtered('t')} AND t.svc_company_id = ${query.bind(svcCompanyId)}
       AND t.connection_id = ${query.bind(connectionId)} AND (${named.join(' OR ')})
       AND t.svc_deleted_at IS NULL`,
  );
}
