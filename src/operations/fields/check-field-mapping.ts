import type { Context } from '../../context.js';
import { AppError } from '../../errors.js';
import { MAPPED_FORMS, mappedTextSql, type MappedType } from '../../query/filters/mapped-fields.js';
import { parseRawPath } from '../../query/filters/raw-path.js';
import { RawJson } from '../../base/raw-json.js';
import { recordTypeOf } from '../../records/index.js';
import { requireCompany } from '../companies/require-company.js';

/** The mapping to try, and the records to try it on. */
interface MappingToCheck {
  readonly integrationType: string;
  readonly dataModel: string;
  readonly svcCompanyId: number | null;
  readonly path: string;
  readonly type: MappedType;
}

/** A record, the raw value at the path, and the field's value. */
interface MappingExample {
  readonly svcCompanyId: number;
  readonly svcId: number;
  readonly found: RawJson | string;
  readonly value: RawJson | null;
  readonly isFitting: boolean;
}

/** How well a mapping fits stored records. */
export interface MappingCheck {
  readonly examined: number;
  readonly fitting: number;
  readonly unfitting: number;
  readonly missing: number;
  readonly examples: readonly MappingExample[];
}

/** Maximum latest records examined. */
const MAX_EXAMINED = 1000;
/** Maximum examples of records that fit, and of those that do not. */
const MAX_EXAMPLES = 3;
const MAX_SHOWN = 200;

/** Tries a mapping before it is created. Throws `invalid-params`, `not-found` for the record type or the company. */
export async function tryFieldMapping(context: Context, mapping: MappingToCheck): Promise<MappingCheck> {
  parseRawPath(mapping.path, 'path');
  if (!recordTypeOf(mapping.dataModel)) {
    throw new AppError('not-found', 'there is no such record type', 'dataModel');
  }
  const { svcCompanyId } = mapping;
  if (svcCompanyId !== null) await requireCompany(context.client, svcCompanyId, 'companyId');
  return checkFieldMapping(context, mapping);
}

/** Examines the latest stored records. Mappings of one query part are checked by one statement. */
export function checkFieldMapping(context: Context, mapping: MappingToCheck): Promise<MappingCheck> {
  const { integrationType, dataModel, svcCompanyId, path, type } = mapping;
  return context.loaders
    .of<MappingCheck>('field mapping checks', (keys) =>
      checkMappings(
        context,
        keys.map((key) => JSON.parse(key) as MappingToCheck),
      ),
    )
    .load(JSON.stringify({ integrationType, dataModel, svcCompanyId, path, type }));
}

interface Counted {
  readonly place: number;
  readonly examined: number;
  readonly present: number;
  readonly fitting: number;
  /** Company, record, the truncated raw JSON, and its value as text; null if there are none. */
  readonly examples: RawJson | null;
}

const NONE: MappingCheck = { examined: 0, fitting: 0, unfitting: 0, missing: 0, examples: [] };

async function checkMappings({ sql }: Context, mappings: readonly MappingToCheck[]): Promise<MappingCheck[]> {
  const query = sql.query();
  const sources = new Map<string, { readonly name: string; readonly text: string }>();
  const sourceOf = ({ dataModel, integrationType, svcCompanyId }: MappingToCheck): string | null => {
    const key = `${dataModel} ${integrationType} ${svcCompanyId}`;
    const definition = recordTypeOf(dataModel);
    let source = sources.get(key);
    if (!source && definition) {
      const company =
        svcCompanyId === null ? '' : ` AND t.svc_company_id = ${query.bind(svcCompanyId)}::bigint`;
      const name = `s${sources.size}`;
      const text = `${name} AS MATERIALIZED (SELECT t.svc_company_id, t.svc_id, t.raw_data FROM ${definition.table} t
        WHERE ${query.within('t')}${company} AND t.svc_integration_type = ${query.bind(integrationType)}
          AND t.svc_deleted_at IS NULL ORDER BY t.svc_id DESC LIMIT ${MAX_EXAMINED})`;
      sources.set(key, (source = { name, text }));
    }
    return source?.name ?? null;
  };
  const counts = mappings.flatMap((mapping, place) => {
    const source = sourceOf(mapping);
    if (source === null) return [];
    const path = query.bind(parseRawPath(mapping.path, 'path'));
    return [countSql({ source, place, path, type: mapping.type })];
  });
  if (counts.length === 0) return mappings.map(() => NONE);
  const rows = await sql.rows<Counted>(
    query,
    `WITH ${[...sources.values()].map(({ text }) => text).join(',\n')}\n${counts.join('\nUNION ALL\n')}`,
  );
  const found = new Map(rows.map((row) => [row.place, row]));
  return mappings.map(({ type }, place) => presentCheck(found.get(place), type));
}

interface Count {
  readonly source: string;
  readonly place: number;
  readonly path: string;
  readonly type: MappedType;
}

const countSql = ({ source, place, path, type }: Count): string => `SELECT ${place} AS place,
    count(*)::integer AS examined, count(found)::integer AS present, count(value)::integer AS fitting,
    json_agg(json_build_array(company, id, left(found::text, ${MAX_SHOWN + 1}), value) ORDER BY value IS NULL, id DESC)
      FILTER (WHERE found IS NOT NULL AND rank <= ${MAX_EXAMPLES}) AS examples
  FROM (SELECT *, row_number() OVER (PARTITION BY found IS NULL, value IS NULL ORDER BY id DESC) AS rank
    FROM (SELECT t.svc_company_id AS company, t.svc_id AS id, ${mappedTextSql(type, path)} AS value,
        NULLIF(jsonb_path_query_first(t.raw_data, ${path}::jsonpath, '{}', true), 'null') AS found
      FROM ${source} t) looked) ranked`;

function presentCheck(row: Counted | undefined, type: MappedType): MappingCheck {
  if (!row) return NONE;
  const { examined, present, fitting } = row;
  const examples = JSON.parse(row.examples?.text ?? '[]') as [number, number, string, string | null][];
  return {
    examined,
    fitting,
    unfitting: present - fitting,
    missing: examined - present,
    examples: examples.map(([svcCompanyId, svcId, found, value]) => ({
      svcCompanyId,
      svcId,
      found: found.length > MAX_SHOWN ? `${found.slice(0, MAX_SHOWN)}…` : new RawJson(found),
      value: value === null ? null : new RawJson(MAPPED_FORMS[type].write(value as never)),
      isFitting: value !== null,
    })),
  };
}
