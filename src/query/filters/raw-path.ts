import { type FieldPath, invalid } from '../../errors.js';
import { parseText } from '../../base/values.js';

/** A path into `raw_data`, as `RawPath` reads it, in PostgreSQL's words. */
export type JsonPath = string;

const MAX_LENGTH = 300;

/** A name; one in quotes; a place in a list; the element of a list that has a value. */
const NAME = String.raw`\.?([^.[\]"'=\\\s][^.[\]"'=\\]*)`;
const QUOTED = String.raw`\["([^"\\\]]+)"\]`;
const PLACE = String.raw`\[(\d{1,4})\]`;
const CHOICE = String.raw`\[([\w$-]+)=([^\]"\\]+)\]`;
const STEP = new RegExp(`${NAME}|${QUOTED}|${PLACE}|${CHOICE}`, 'y');

/**
 * Reads a path such as `MetaData.CreateTime`, `lines[0].memo`, `["a.b"].c` or `CustomField[Name=Region].StringValue`.
 * Every name and value becomes a JSON string of the answer, so that no caller input can be anything else.
 */
export function parseRawPath(value: unknown, field: FieldPath): JsonPath {
  const text = parseText(value, field);
  const refusal = invalid(
    field,
    'must be a path into raw_data such as MetaData.CreateTime, lines[0].memo or CustomField[Name=Region].StringValue',
  );
  if (text.length === 0 || text.length > MAX_LENGTH || /^\.|\p{Cc}/u.test(text)) throw refusal;
  const steps: string[] = [];
  STEP.lastIndex = 0;
  while (STEP.lastIndex < text.length) {
    const at = STEP.lastIndex;
    const [whole, name, quoted, place, key, wanted] = STEP.exec(text) ?? [];
    if (whole === undefined) throw refusal;
    // After the first, a bare name has its dot; a dot is nowhere else.
    if (name !== undefined && at > 0 && !whole.startsWith('.')) throw refusal;
    if (place !== undefined) steps.push(`[${Number(place)}]`);
    else if (key !== undefined && wanted !== undefined) steps.push(choice(key, wanted));
    else steps.push(`.${JSON.stringify(name ?? quoted)}`);
  }
  return `$${steps.join('')}`;
}

/** Numbers are written as numbers by some platforms, and as text by others. */
function choice(key: string, wanted: string): string {
  const compared = `@.${JSON.stringify(key)} == `;
  const asNumber = /^-?(0|[1-9]\d{0,14})$/.test(wanted) ? ` || ${compared}${wanted}` : '';
  return `[*] ? (${compared}${JSON.stringify(wanted)}${asNumber})`;
}
