import { type AppError, invalid } from '../errors.js';
import type { FieldKind } from '../records/fields.js';
import { RawJson } from '../base/raw-json.js';
import { OWNER, type RelationField, type Shape, type ShapeField } from './shape.js';

/** Writes a value of an operation's result as JSON text. */
export type Writer = (value: unknown) => string;

/** Writes a value of the record with the `svc_id`. */
type OwnedWriter = (value: unknown, owner?: unknown) => string;

/** Characters that JSON escapes, and halves of surrogate pairs, which JSON.stringify handles. */
const SPECIAL = /[\u0000-\u001f"\\\ud800-\udfff]/;

function escapeJson(text: string): string {
  return SPECIAL.test(text) ? JSON.stringify(text).slice(1, -1) : text;
}

/** A text as JSON. */
export function writeText(text: string): string {
  return `"${escapeJson(text)}"`;
}

/** How a value is written as JSON: `before`, then the value, converted by `text` if present, then `after`. */
interface Form {
  readonly before: string;
  readonly text?: OwnedWriter;
  readonly after: string;
  /** Text written for null. */
  readonly absent: string;
}

const plain: Form = { before: '', after: '', absent: 'null' };
const quoted: Form = { before: '"', after: '"', absent: 'null' };
const formWith = (text: (value: never, owner: unknown) => string, absent: string): Form => ({
  ...plain,
  absent,
  text: text as OwnedWriter,
});

/**
 * Wire form of each kind. A number is the decimal's own text as the JSON token, so that no digit is lost; a calendar
 * day is a timestamp at midnight (reference: timestamps are ISO 8601 in UTC).
 */
const FORMS: Readonly<Record<FieldKind, Form>> = {
  text: { ...quoted, text: escapeJson as Writer },
  textList: formWith((values: readonly string[]) => `[${values.map(writeText).join(',')}]`, '[]'),
  decimalNumber: plain,
  decimalText: quoted,
  timestamp: quoted,
  date: { ...quoted, after: 'T00:00:00.000Z"' },
  boolean: plain,
  svcId: plain,
  json: formWith((value: unknown) => (value instanceof RawJson ? value.text : JSON.stringify(value)), 'null'),
  version: { ...quoted, text: escapeJson as Writer },
};

/**
 * The writer of objects of a shape: one function with a line for each field, which is several times as fast as a loop
 * over fields. The text between two values is one string, the end of the one with the name of the next, as each joined
 * string costs memory, and time when all are flattened. Throws `invalid-params` where a relation has more records than
 * it may show. The values are read under names with the prefix.
 */
export function createWriter(shape: Shape, maxExpanded: number, prefix = ''): Writer {
  if (shape.length === 0) return () => '{}';
  const forms = shape.map((field) => formOf(field, maxExpanded));
  const names = forms.map((_, index) => `text${index}`);
  const ends = ['', ...forms.map(({ after }) => after)];
  const owner = `, object[${JSON.stringify(prefix + OWNER.wire)}]`;
  const parts = shape.map(({ wire, kind }, index) => {
    const { before, text, absent } = forms[index] ?? plain;
    const key = `${index === 0 ? '{' : ','}${JSON.stringify(wire)}:`;
    const open = between(index, ends[index] ?? '', key + before);
    const value = text ? `text${index}(value${index}${kind === 'connection' ? owner : ''})` : `value${index}`;
    return `const value${index} = object[${JSON.stringify(prefix + wire)}];
  text += value${index} == null ? ${between(index, ends[index] ?? '', key + absent)} : ${open} + ${value};`;
  });
  const end = between(shape.length, ends[shape.length] ?? '', '}');
  // This text contains no caller input: wire names are from the definitions.
  // oxlint-disable-next-line typescript/no-implied-eval
  const make = new Function(
    ...names,
    `return (object) => {\n  let text = '';\n  ${parts.join('\n  ')}\n  return text + ${end};\n};`,
  ) as (...from: (OwnedWriter | undefined)[]) => Writer;
  return make(...forms.map(({ text }) => text));
}

/** Code for the text before the value at `index`: the end of the previous value, if it is present, and `text`. */
function between(index: number, end: string, text: string): string {
  if (end === '') return JSON.stringify(text);
  return `(value${index - 1} == null ? ${JSON.stringify(text)} : ${JSON.stringify(end + text)})`;
}

/** The writer of single values of a kind. */
export function valueWriter(kind: FieldKind): Writer {
  const { before, text = String, after, absent } = FORMS[kind];
  return (value) => (value == null ? absent : before + text(value) + after);
}

/** The writer of a list of objects of a shape. */
export function createListWriter(shape: Shape, maxExpanded: number): Writer {
  const write = createWriter(shape, maxExpanded);
  return (value) => {
    let text = '[';
    for (const item of (value ?? []) as readonly unknown[])
      text += text === '[' ? write(item) : `,${write(item)}`;
    return `${text}]`;
  };
}

function formOf(field: ShapeField, maxExpanded: number): Form {
  if (!('shape' in field)) return FORMS[field.kind];
  const form = relationForm(field, maxExpanded);
  return field.wrapped
    ? { ...form, before: '{"data":', after: '}', absent: `{"data":${form.absent}}` }
    : form;
}

function relationForm(field: RelationField, maxExpanded: number): Form {
  const list = createListWriter(field.shape, maxExpanded);
  switch (field.kind) {
    case 'object':
      return formWith(createWriter(field.shape, maxExpanded), field.absent);
    // A document's lines have no separate list: they are always complete.
    case 'lines':
      return formWith(list, '[]');
    case 'connection':
      return formWith((page: { nodes: unknown[]; pageInfo: { hasNextPage: boolean } }, owner) => {
        if (page.pageInfo.hasNextPage) throw tooMany(field, owner, maxExpanded);
        return list(page.nodes);
      }, '[]');
    default:
      return field.kind satisfies never;
  }
}

function tooMany({ wire }: RelationField, owner: unknown, max: number): AppError {
  return invalid(
    'expand',
    `finds more than ${max} ${wire} of the record ${String(owner)}: read them from their own list, filtered by this record`,
  );
}
