import type { TenantSql } from '../../db/tenant-sql.js';
import type { RecordDefinition } from '../../records/define.js';
import type { FieldKind } from '../../records/fields.js';
import { RawJson } from '../../base/raw-json.js';
import type { OwnedId } from '../owned-ids.js';
import type { JsonPath } from './raw-path.js';

export const MAPPED_TYPES = ['TEXT', 'NUMBER', 'BOOLEAN', 'DATE', 'TIME'] as const;
export type MappedType = (typeof MAPPED_TYPES)[number];

/** A value of `raw_data` with a name and a type, for records of one platform. */
export interface MappedField {
  readonly svcId: number;
  /** Null: for all companies without their own field of this name. */
  readonly svcCompanyId: number | null;
  readonly integrationType: string;
  readonly dataModel: string;
  readonly name: string;
  readonly path: JsonPath;
  readonly type: MappedType;
  readonly isIndexed: boolean;
}

interface Form {
  /** The migration's function that returns the value, or null if it does not fit. */
  readonly sql: string;
  readonly kind: FieldKind;
  readonly write: (value: never) => string;
}

/** How each type is read, compared and written as JSON. */
export const MAPPED_FORMS: Readonly<Record<MappedType, Form>> = {
  TEXT: { sql: 'svc_mapped_text', kind: 'text', write: (text: string) => JSON.stringify(text) },
  // The digits in PostgreSQL's form.
  NUMBER: { sql: 'svc_mapped_number', kind: 'decimalNumber', write: (digits: string) => digits },
  BOOLEAN: { sql: 'svc_mapped_boolean', kind: 'boolean', write: (value: boolean) => String(value) },
  DATE: { sql: 'svc_mapped_date', kind: 'date', write: (day: string) => `"${day}"` },
  TIME: { sql: 'svc_mapped_time', kind: 'timestamp', write: (instant: string) => `"${instant}"` },
};

/** The value of a field of the row under `alias`; `path` is SQL for its path. */
export const mappedSql = (type: MappedType, alias: string, path: string): string =>
  `${MAPPED_FORMS[type].sql}(${alias}.raw_data, ${path}::jsonpath)`;

/** The same of the row `t` as text, in the form in which rows give it. */
export function mappedTextSql(type: MappedType, path: string): string {
  const value = mappedSql(type, 't', path);
  if (type !== 'TIME') return `${value}::text`;
  return `to_char(${value} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/** The fields of a company's records of one platform: its own take precedence over those of all companies, by name. */
export function fieldsOf(
  fields: readonly MappedField[],
  { svcCompanyId, integrationType }: { readonly svcCompanyId: number; readonly integrationType: string },
): MappedField[] {
  const byName = new Map<string, MappedField>();
  for (const field of fields) {
    if (field.integrationType !== integrationType) continue;
    if (field.svcCompanyId !== null && field.svcCompanyId !== svcCompanyId) continue;
    if (field.svcCompanyId !== null || !byName.has(field.name)) byName.set(field.name, field);
  }
  return [...byName.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** The fields of some records as JSON objects, in the order of the keys: null where there is no such record. One statement. */
export async function readMappedFields(
  sql: TenantSql,
  definition: RecordDefinition,
  fields: readonly MappedField[],
  keys: readonly OwnedId[],
): Promise<(RawJson | null)[]> {
  const query = sql.query();
  const companies = query.bind([...new Set(keys.map(({ svcCompanyId }) => svcCompanyId))]);
  const svcIds = query.bind(keys.map(({ svcId }) => svcId));
  const values = fields.map(
    ({ type, path }, index) => `, ${mappedSql(type, 't', query.bind(path))} AS f${index}`,
  );
  const rows = await sql.quickRows<Readonly<Record<string, unknown>>>(
    query,
    `SELECT t.svc_company_id AS company, t.svc_id AS id${values.join('')} FROM ${definition.table} t
     WHERE ${query.filtered('t')} AND t.svc_company_id = ANY(${companies}::bigint[])
       AND t.svc_id = ANY(${svcIds}::bigint[])`,
  );
  const found = new Map(rows.map((row) => [`${String(row['company'])}:${String(row['id'])}`, row]));
  return keys.map(({ svcCompanyId, svcId }) => {
    const row = found.get(`${svcCompanyId}:${svcId}`);
    return row ? new RawJson(writeFields(fields, row)) : null;
  });
}

function writeFields(fields: readonly MappedField[], row: Readonly<Record<string, unknown>>): string {
  const parts = fields.map(({ name, type }, index) => {
    const value = row[`f${index}`];
    return `${JSON.stringify(name)}:${value == null ? 'null' : MAPPED_FORMS[type].write(value as never)}`;
  });
  return `{${parts.join(',')}}`;
}
