import type { Context } from '../../context.js';
import type { OwnedId } from '../../query/owned-ids.js';
import type { FilterInput } from '../../query/filters/filter.js';
import { fieldsOf, type MappedField, readMappedFields } from '../../query/filters/mapped-fields.js';
import { comparisonKey, type MappedFilter, searchOf } from '../../query/filters/mapped-filter.js';
import { parseRawPath } from '../../query/filters/raw-path.js';
import { RawJson } from '../../base/raw-json.js';
import type { RecordDefinition } from '../../records/define.js';
import { fieldIndexState } from './field-indexes.js';

/** The record whose fields to load. */
interface MappedRecord {
  readonly svcCompanyId: number;
  readonly svcId: number;
  readonly svcIntegrationType: string;
}

const NONE = new RawJson('{}');

/** The mapped fields of a record as a JSON object. Those of one query part are read together. */
export function loadMappedFields(
  context: Context,
  definition: RecordDefinition,
  { svcCompanyId, svcId, svcIntegrationType }: MappedRecord,
): Promise<RawJson> {
  return context.loaders
    .of<RawJson>(`fields ${definition.model}`, (keys) => readFields(context, definition, keys))
    .load(`${svcCompanyId}:${svcId}:${svcIntegrationType}`);
}

/** Records with the same fields. */
interface Group {
  readonly fields: readonly MappedField[];
  readonly keys: OwnedId[];
  readonly places: number[];
}

/** One statement for each set of fields: per platform, and per company with its own fields. */
async function readFields(
  context: Context,
  definition: RecordDefinition,
  keys: readonly string[],
): Promise<RawJson[]> {
  const all = await mappingsOf(context, definition);
  const read = keys.map(() => NONE);
  if (all.length === 0) return read;
  const groups = new Map<string, Group>();
  const groupOf = new Map<string, Group>();
  for (const [place, key] of keys.entries()) {
    const [company = '', svcId = '', integrationType = ''] = key.split(':');
    const owner = `${company}:${integrationType}`;
    let group = groupOf.get(owner);
    if (!group) {
      const fields = fieldsOf(all, { svcCompanyId: Number(company), integrationType });
      const ids = fields.map((field) => field.svcId).join();
      group = groups.get(ids) ?? { fields, keys: [], places: [] };
      groups.set(ids, group);
      groupOf.set(owner, group);
    }
    group.keys.push({ svcCompanyId: Number(company), svcId: Number(svcId) });
    group.places.push(place);
  }
  await Promise.all(
    [...groups.values()]
      .filter(({ fields }) => fields.length > 0)
      .map(async (group) => {
        const found = await readMappedFields(context.lists, definition, group.fields, group.keys);
        group.places.forEach((place, index) => (read[place] = found[index] ?? NONE));
      }),
  );
  return read;
}

/** Maximum records found by an index for a comparison: with more, it is useless. */
const MAX_FOUND = 5000;

/** The mappings of the fields that a filter names; null, without a read, if it names none. */
export function fieldsForFilter(
  context: Context,
  { definition, changePosition }: { readonly definition: RecordDefinition; readonly changePosition: boolean },
  filter: FilterInput | null | undefined,
  companyId: number | null,
): Promise<MappedFilter> | null {
  const named = namedFields(filter);
  return named.length === 0 ? null : prepareFilter(context, { definition, changePosition, named, companyId });
}

interface FilterRequest {
  readonly definition: RecordDefinition;
  readonly changePosition: boolean;
  readonly named: readonly unknown[];
  readonly companyId: number | null;
}

async function prepareFilter(context: Context, wanted: FilterRequest): Promise<MappedFilter> {
  const { definition, changePosition, named, companyId } = wanted;
  const fields = await mappingsOf(context, definition);
  const found = new Map<string, readonly number[]>();
  const filter = { fields, found };
  // A lookup before reading the change log's position may miss changes in between.
  if (changePosition || !fields.some(({ isIndexed }) => isIndexed)) return filter;
  const searches = fields.flatMap((field) =>
    named.flatMap(comparisonsOf(field.name)).map((comparison) => ({ field, comparison })),
  );
  // More are refused when the filter is converted to SQL.
  if (searches.length > context.limits.filterConditions) return filter;
  await Promise.all(
    searches.map(async ({ field, comparison }) => {
      if ((await fieldIndexState(context, field)) !== 'READY') return;
      const ids = await search(context, { definition, field, companyId }, comparison);
      if (ids) found.set(comparisonKey(field, comparison), ids);
    }),
  );
  return filter;
}

interface Comparison {
  readonly operator: string;
  readonly value: unknown;
}

/** The values in `fields` that are compared with a field. Invalid filters are refused when converted to SQL. */
const comparisonsOf =
  (name: string) =>
  (fields: unknown): Comparison[] =>
    Object.entries(objectOf(objectOf(fields)[name])).map(([operator, value]) => ({ operator, value }));

async function search(
  { sql, limits }: Context,
  {
    definition,
    field,
    companyId,
  }: Pick<FilterRequest, 'definition' | 'companyId'> & { readonly field: MappedField },
  comparison: Comparison,
): Promise<readonly number[] | null> {
  const wanted = searchOf(field, comparison, limits);
  if (!wanted) return null;
  const query = sql.query();
  const rows = await sql.quickRows<{ ids: RawJson | null }>(
    query,
    `SELECT to_json(svc_find_by_field(${query.bind(definition.table)}::regclass, t.integration_type,
       ${query.bind(field.path)}::jsonpath, t.type, ${query.bind(wanted.operator)},
       ${query.bind(wanted.wanted)}::text[], ${query.bind(companyId)}::bigint, ${MAX_FOUND})) AS ids
     FROM field_mappings t WHERE t.svc_organisation_id = $1 AND t.svc_id = ${query.bind(field.svcId)}`,
  );
  const ids = rows[0]?.ids ?? null;
  return ids && (JSON.parse(ids.text) as number[]);
}

/** Every `fields` of a filter, at any depth. */
function namedFields(filter: unknown): unknown[] {
  if (Array.isArray(filter)) return filter.flatMap(namedFields);
  return Object.entries(objectOf(filter)).flatMap(([name, value]) =>
    name === 'fields' ? [value] : ['and', 'or', 'not'].includes(name) ? namedFields(value) : [],
  );
}

const objectOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};

/** The mappings of a record type that the caller may see, read once a request. */
function mappingsOf({ sql, loaders }: Context, { dataModel }: RecordDefinition): Promise<MappedField[]> {
  return loaders
    .of<MappedField[]>('field mappings', async (dataModels) => {
      const query = sql.query();
      const { companyIds } = sql.scope;
      const company =
        companyIds === null
          ? ''
          : ` AND (t.svc_company_id IS NULL OR t.svc_company_id = ANY(${query.bind(companyIds)}::bigint[]))`;
      const rows = await sql.quickRows<MappedField>(
        query,
        `SELECT t.svc_id AS "svcId", t.svc_company_id AS "svcCompanyId", t.integration_type AS "integrationType",
           t.data_model AS "dataModel", t.name, t.path, t.type, t.is_indexed AS "isIndexed"
         FROM field_mappings t WHERE t.svc_organisation_id = $1 AND t.data_model = ANY(${query.bind(dataModels)}::text[])${company}`,
      );
      const all = rows.map((one) => ({ ...one, path: parseRawPath(one.path, 'path') }));
      return dataModels.map((wanted) => all.filter((one) => one.dataModel === wanted));
    })
    .load(dataModel);
}
