import { invalid } from '../../errors.js';
import { type RecordDefinition, records, recordTypeOf } from '../../records/index.js';
import { parseBoolean, parseChoice, parseSvcId, parseText } from '../../base/values.js';
import { type Query, readQuery } from '../request/query.js';
import { linesOf } from './lines.js';

/** Validated parameters of an export. */
export interface ExportSelection {
  readonly companyId: number | null;
  readonly includeDeleted: boolean;
  /** Metadata beside that of lists, by GraphQL name. */
  readonly select: readonly string[];
  /** Record types in reading order; for a continued export, the remaining ones. */
  readonly definitions: readonly RecordDefinition[];
  readonly format: 'JSONL' | 'CSV';
  /** For CSV: the GraphQL name of the relation whose lines are the rows; null for records. */
  readonly lines: string | null;
  readonly isGuarded: boolean;
  /** CSV: begins with U+FEFF, by which Excel recognises UTF-8. */
  readonly hasByteOrderMark: boolean;
  /** Where it continues: after that record of the first type, as the position that the first part was read at. */
  readonly continued: { readonly svcId: number; readonly position: string } | null;
}

const FORMATS = ['JSONL', 'CSV'];
/** Values of `select`, by wire name. */
export const METADATA = new Map([
  ['raw_data', 'rawData'],
  ['data_hash', 'dataHash'],
  ['fields', 'fields'],
  ['custom_fields', 'customFields'],
]);
export const EXPORT_PARAMETERS = [
  'svc_company_id[eq]',
  'data_models',
  'format',
  'lines',
  'select',
  'include_deleted_records',
  'spreadsheet_guard',
  'byte_order_mark',
  'after',
  'position',
];

/** Reads the query string of an export. Throws `invalid-params`. */
export function parseSelection(query: Query): ExportSelection {
  const fields = readQuery(query);
  const named = fields.list('data_models');
  const wanted = named === null ? records : [...new Set(named.map((name) => typeOf(name, 'data_models')))];
  const format = (fields.optional('format', (value, field) => parseChoice(FORMATS, value, field)) ??
    'JSONL') as ExportSelection['format'];
  const [only] = wanted;
  if (format === 'CSV' && (!only || wanted.length > 1)) {
    throw invalid('data_models', 'must name one record type: a CSV has the columns of one');
  }
  const lines = fields.optional('lines', parseText);
  if (lines !== null && format !== 'CSV')
    throw invalid('lines', 'is for CSV: JSONL has lines in their records');
  const after = fields.optional('after', parseAfter);
  const position = fields.optional('position', (value, field) => String(parseSvcId(value, field)));
  if (after && position === null) {
    throw invalid('position', 'is needed with after: the one of the answer to continue');
  }
  if (after && !wanted.includes(after.definition)) {
    throw invalid('after', 'must name one of data_models');
  }
  return {
    companyId: fields.optional('svc_company_id[eq]', parseSvcId),
    includeDeleted: fields.optional('include_deleted_records', parseBoolean) ?? false,
    select: [...new Set((fields.list('select') ?? []).map(metadataOf))],
    definitions: after ? wanted.slice(wanted.indexOf(after.definition)) : wanted,
    format,
    lines: lines === null || !only ? null : lineRelation(only, lines),
    isGuarded: fields.optional('spreadsheet_guard', parseBoolean) ?? true,
    hasByteOrderMark: fields.optional('byte_order_mark', parseBoolean) ?? false,
    continued: after && position !== null ? { svcId: after.svcId, position } : null,
  };
}

function typeOf(dataModel: string, field: string): RecordDefinition {
  const definition = recordTypeOf(dataModel.toUpperCase());
  if (definition) return definition;
  throw invalid(
    field,
    `must name record types such as INVOICES, got ${dataModel.slice(0, 40) || 'an empty name'}`,
  );
}

function metadataOf(wire: string): string {
  const name = METADATA.get(wire);
  if (name !== undefined) return name;
  throw invalid(
    'select',
    `takes ${[...METADATA.keys()].join(', ')}; got ${wire.slice(0, 40) || 'an empty name'}`,
  );
}

function parseAfter(value: unknown): { readonly definition: RecordDefinition; readonly svcId: number } {
  const [, dataModel, svcId] = /^(\w{1,60}):(\d{1,16})$/.exec(String(value)) ?? [];
  if (dataModel === undefined)
    throw invalid('after', 'must be written DATA_MODEL:svc_id, such as INVOICES:1042');
  return { definition: typeOf(dataModel, 'after'), svcId: parseSvcId(svcId, 'after') };
}

function lineRelation(definition: RecordDefinition, wire: string): string {
  const all = linesOf(definition);
  const found = all.find((one) => one.wire === wire);
  if (found) return found.name;
  const choices = all.map((one) => one.wire).join(', ') || 'nothing: these records have no lines';
  throw invalid('lines', `takes ${choices}; got ${wire.slice(0, 40)}`);
}
