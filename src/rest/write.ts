import { invalid } from '../errors.js';
import type { FieldKind } from '../records/fields.js';
import { RawJson } from '../raw-json.js';
import type { RelationField, Shape, ShapeField } from './shape.js';

/** Writes a value of an operation's result as JSON text. */
export type Writer = (value: unknown) => string;

/** Characters that JSON escapes, and halves of surrogate pairs, which JSON.stringify handles. */
const SPECIAL = /[\u0000-\u001f"\\\ud800-\udfff]/;

export function writeText(text: string): string {
  return SPECIAL.test(text) ? JSON.stringify(text) : `"${text}"`;
}

function nullable(write: (value: never) => string): Writer {
  return (value) => (value === null || value === undefined ? 'null' : write(value as never));
}

/**
 * Wire form of each kind. A number is the decimal's own text as the JSON token, so that no digit is lost; a calendar
 * day is a timestamp at midnight (reference: timestamps are ISO 8601 in UTC).
 */
const WRITERS: Readonly<Record<FieldKind, Writer>> = {
  text: nullable(writeText),
  textList: (value) => `[${((value ?? []) as readonly string[]).map(writeText).join(',')}]`,
  decimalNumber: nullable((value: string) => value),
  decimalText: nullable((value: string) => `"${value}"`),
  timestamp: nullable((value: string) => `"${value}"`),
  date: nullable((value: string) => `"${value}T00:00:00.000Z"`),
  boolean: nullable(String),
  svcId: nullable(String),
  json: nullable((value: unknown) => (value instanceof RawJson ? value.text : JSON.stringify(value))),
};

/** The writer of objects of a shape. Throws `invalid-params` where a relation has more records than it may show. */
export function createWriter(shape: Shape, mostExpanded: number): Writer {
  const fields = shape.map((field, index) => ({
    key: `${index === 0 ? '{' : ','}${JSON.stringify(field.wire)}:`,
    wire: field.wire,
    write: fieldWriter(field, mostExpanded),
  }));
  if (fields.length === 0) return () => '{}';
  return (value) => {
    const object = value as Readonly<Record<string, unknown>>;
    let text = '';
    for (const { key, wire, write } of fields) text += key + write(object[wire]);
    return `${text}}`;
  };
}

/** The writer of a list of objects of a shape. */
export function createListWriter(shape: Shape, mostExpanded: number): Writer {
  const write = createWriter(shape, mostExpanded);
  return (value) => `[${((value ?? []) as readonly unknown[]).map(write).join(',')}]`;
}

function fieldWriter(field: ShapeField, mostExpanded: number): Writer {
  if (!('shape' in field)) return WRITERS[field.kind];
  const write = relationWriter(field, mostExpanded);
  return field.wrapped ? (value) => `{"data":${write(value)}}` : write;
}

function relationWriter(field: RelationField, mostExpanded: number): Writer {
  const list = createListWriter(field.shape, mostExpanded);
  switch (field.kind) {
    case 'object': {
      const write = createWriter(field.shape, mostExpanded);
      return (value) => (value === null || value === undefined ? field.absent : write(value));
    }
    case 'list':
      return list;
    case 'connection':
      return (value) => {
        const page = value as { nodes: unknown[]; pageInfo: { hasNextPage: boolean } };
        if (!page.pageInfo.hasNextPage) return list(page.nodes);
        throw invalid(
          'expand',
          `a record has more than ${mostExpanded} ${field.wire}: read them from their own list, filtered by this record`,
        );
      };
    default:
      return field.kind satisfies never;
  }
}
