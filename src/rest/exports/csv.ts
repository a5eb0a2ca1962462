import type { Shape, ShapeField } from '../shape.js';
import { valueWriter, type Writer } from '../writer.js';

/** A column of a table of values: its name, and its cell for an object of the shape. */
interface Column {
  readonly name: string;
  readonly cell: (object: Readonly<Record<string, unknown>>) => string;
}

/** A table in the form of RFC 4180. */
interface CsvTable {
  readonly head: string;
  readonly row: (object: Readonly<Record<string, unknown>>) => string;
}

const NEEDS_QUOTES = /[",\r\n]|^\s|\s$|^$/;
/** Text that spreadsheets treat as a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/**
 * A table of a shape's fields: an object in it gives a column for each of its fields, `parent_account.svc_id`; lists are
 * JSON text, and lines, which have tables of their own, are left out. Null is an empty cell, and an empty text is `""`.
 * `isGuarded` puts an apostrophe before texts that a spreadsheet would run.
 */
export function csvTable(
  shape: Shape,
  { isGuarded, before = [] }: { readonly isGuarded: boolean; readonly before?: readonly string[] },
): CsvTable {
  const columns = [
    ...before.map((name): Column => ({ name, cell: (object) => String(object[name]) })),
    ...shape.flatMap((field) => columnsOf(field, isGuarded)),
  ];
  return {
    head: `${columns.map(({ name }) => name).join(',')}\r\n`,
    row: (object) => `${columns.map(({ cell }) => cell(object)).join(',')}\r\n`,
  };
}

function columnsOf(field: ShapeField, isGuarded: boolean): Column[] {
  const { wire } = field;
  if ('shape' in field) {
    if (field.kind !== 'object') return [];
    return field.shape
      .flatMap((inner) => columnsOf(inner, isGuarded))
      .map(({ name, cell }) => ({
        name: `${wire}.${name}`,
        cell: (object) => {
          const value = object[wire];
          return value == null ? '' : cell(value as Readonly<Record<string, unknown>>);
        },
      }));
  }
  const write = cellWriter(field.kind, isGuarded);
  return [{ name: wire, cell: (object) => (object[wire] == null ? '' : write(object[wire])) }];
}

/** The value as REST writes it, without the quotes of JSON. */
function cellWriter(kind: Parameters<typeof valueWriter>[0], isGuarded: boolean): Writer {
  if (kind === 'text') {
    return isGuarded
      ? (value) => quote(FORMULA.test(String(value)) ? `'${String(value)}` : String(value))
      : (value) => quote(String(value));
  }
  const write = valueWriter(kind);
  return kind === 'textList' || kind === 'json'
    ? (value) => quote(write(value))
    : (value) => write(value).replace(/^"|"$/g, '');
}

const quote = (text: string): string => (NEEDS_QUOTES.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
