import { Decimal } from 'decimal.js';

import { type UnifiedLine, type UnifiedRecord } from '../../src/connectors/pull.js';
import { definitionOf, type RecordDefinition } from '../../src/records/index.js';
import { plainValues } from './plain-values.js';
import { type Item } from './write-samples.js';

/** A record as two of them can be compared: without what is unknown, decimals by what they are worth. */
export function comparable(definition: RecordDefinition, record: UnifiedRecord) {
  const lines = Object.entries(record.lines ?? {}).map(([name, own]) => {
    const target = linesTarget(definition, name);
    return [name, own.map(({ platformId, values }) => ({ platformId, ...plainValues(target, values) }))];
  });
  return {
    platformId: record.platformId,
    deleted: record.deleted ?? false,
    values: plainValues(definition, record.values),
    lines: Object.fromEntries(lines) as Readonly<Record<string, unknown>>,
  };
}

function linesTarget(definition: RecordDefinition, name: string): RecordDefinition {
  const relation = definition.relations[name];
  return definitionOf(relation?.kind === 'lines' ? relation.target : '');
}

/** Fields that records do not have: a credit note's rate shows in what it is worth, custom fields are read from `raw_data`. */
export const WRITE_ONLY = ['raw_data', 'currency_rate', 'custom_fields'];

/** Plain fields of writes that are lines when they are read. */
export const DETAILS: Readonly<Record<string, readonly [lines: string, value: string, type: string]>> = {
  email: ['externalLinks', 'link', 'EMAIL'],
  website: ['externalLinks', 'link', 'WEBSITE'],
  telephone: ['phoneNumbers', 'number', 'TELEPHONE'],
  mobile: ['phoneNumbers', 'number', 'MOBILE'],
  fax: ['phoneNumbers', 'number', 'FAX'],
};

/** What an item asked for and the record has otherwise, by the field's name: nothing where all is as it was asked. */
export function unlike(
  definition: RecordDefinition,
  item: Item,
  record: Pick<UnifiedRecord, 'values' | 'lines'>,
): string[] {
  const values = record.values as Readonly<Record<string, unknown>>;
  return Object.entries(item).flatMap(([name, asked]) => {
    const [own] = Object.entries(definition.own).filter(([, { wire }]) => wire === name);
    const detail = own ? undefined : DETAILS[name];
    if (detail) {
      const [lines, value, type] = detail;
      const found = linesOf(record, lines).some((line) => line['type'] === type && line[value] === asked);
      return found ? [] : [`${name} is not ${String(asked)}`];
    }
    for (const [relationName, relation] of Object.entries(definition.relations)) {
      if (relation.wire !== name) continue;
      if (relation.kind === 'lines') {
        return unlikeLines(definition, { name, relationName, asked: asked as readonly Item[] }, record);
      }
      if (relation.kind === 'embedded') {
        const inner = Object.entries(asked as Item).map(([field, value]) => [`${name}_${field}`, value]);
        return unlike(definition, Object.fromEntries(inner), record);
      }
    }
    if (!own && (WRITE_ONLY.includes(name) || name === 'platform_id')) return [];
    if (!own) return [`${name} is no field of ${definition.dataModel}`];
    const [field, { kind }] = own;
    const got = values[field] ?? null;
    const isOwnWord = name === 'journal_entry_type' && typeof got === 'string';
    return isSame(kind, asked, isOwnWord ? got.toUpperCase() : got)
      ? []
      : [`${name} is ${JSON.stringify(got)}, not ${JSON.stringify(asked)}`];
  });
}

const linesOf = (record: Pick<UnifiedRecord, 'lines'>, name: string) =>
  (record.lines?.[name] ?? []).map((line: UnifiedLine) => line.values as Readonly<Record<string, unknown>>);

interface AskedLines {
  readonly name: string;
  readonly relationName: string;
  readonly asked: readonly Item[];
}

/** Lines are in their order, but for addresses, which have none. */
function unlikeLines(
  definition: RecordDefinition,
  { name, relationName, asked }: AskedLines,
  record: Pick<UnifiedRecord, 'lines'>,
): string[] {
  const target = linesTarget(definition, relationName);
  const got = linesOf(record, relationName);
  if (got.length !== asked.length) return [`${name} are ${got.length}, not ${asked.length}`];
  return asked.flatMap((line, index) => {
    const candidates = name === 'addresses' ? got : got.slice(index, index + 1);
    const misses = candidates.map((values) => unlike(target, line, { values }));
    if (misses.some((miss) => miss.length === 0)) return [];
    return (misses[0] ?? []).map((miss) => `${name}[${index}].${miss}`);
  });
}

function isSame(kind: string, asked: unknown, got: unknown): boolean {
  if (got === null) return asked === null;
  if (kind === 'decimalNumber' || kind === 'decimalText') {
    return new Decimal(textOf(got)).equals(textOf(asked));
  }
  if (kind === 'date' || kind === 'timestamp') return textOf(got).slice(0, 10) === asked;
  return JSON.stringify(got) === JSON.stringify(asked);
}

/** What stands for decimals and days, in items as in records. */
const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));
