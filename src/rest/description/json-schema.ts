/** A schema of OpenAPI 3.1: JSON Schema, draft 2020-12. */
export type JsonSchema = Readonly<Record<string, unknown>>;

export const text: JsonSchema = { type: 'string' };
/** A count, a position, a number of bytes: never negative. */
export const integer: JsonSchema = {
  type: 'integer',
  format: 'int64',
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
};
export const flag: JsonSchema = { type: 'boolean' };
export const time: JsonSchema = { type: 'string', format: 'date-time' };
/** A day as answers show it: a description of the field comes first. */
export const shownDay = (description: string | null | undefined): JsonSchema =>
  about([description, 'Midnight UTC: a day, without a time zone.'].filter(Boolean).join(' '), time);
/** A time as callers write it. */
export const givenTime: JsonSchema = {
  ...time,
  description: 'ISO 8601. A date alone is its midnight, a time without an offset is UTC.',
};
export const day: JsonSchema = {
  type: 'string',
  format: 'date',
  description: 'A day. A date-time is accepted too: its day as written, whatever its time zone.',
};
/** A filter's operand for a day. */
export const dayOrTime: JsonSchema = {
  type: 'string',
  description:
    'A day, or a time as ISO 8601: a day is its midnight in UTC, as in answers; a time without an offset is UTC.',
};
export const svcId: JsonSchema = integer;
/** Any JSON object. */
export const anyObject: JsonSchema = { type: 'object' };

/** The schema with a description, if there is one. */
export const about = (description: string | null | undefined, schema: JsonSchema): JsonSchema =>
  description ? { ...schema, description } : schema;
export const word = (...words: readonly string[]): JsonSchema => ({ type: 'string', enum: words });
export const arrayOf = (items: JsonSchema): JsonSchema => ({ type: 'array', items });
export const refTo = (component: string): JsonSchema => ({ $ref: `#/components/schemas/${component}` });

/** An object of these fields; all of them are there, unless others are named. */
export const object = (
  properties: Readonly<Record<string, JsonSchema>>,
  required: readonly string[] = Object.keys(properties),
): JsonSchema => ({ type: 'object', properties, ...(required.length > 0 ? { required } : {}) });

export function nullable({ description, ...schema }: JsonSchema): JsonSchema {
  const said = description === undefined ? {} : { description };
  const { type, enum: words } = schema;
  if (typeof type === 'string') {
    const either = { ...schema, type: [type, 'null'] };
    return { ...either, ...(Array.isArray(words) ? { enum: [...(words as unknown[]), null] } : {}), ...said };
  }
  const isAny = Object.keys(schema).length === 0 || (Array.isArray(type) && type.includes('null'));
  return isAny ? { ...schema, ...said } : { anyOf: [schema, { type: 'null' }], ...said };
}

/** An object of fields more or others, without some. */
export function changeFields(
  schema: JsonSchema,
  { without = [], also = {} }: { readonly without?: readonly string[]; readonly also?: Fields },
): JsonSchema {
  const kept = Object.entries(schema['properties'] as Fields).filter(([name]) => !without.includes(name));
  const required = (schema['required'] as readonly string[]).filter((name) => !without.includes(name));
  const names = [...new Set([...required, ...Object.keys(also)])];
  return { ...schema, properties: { ...Object.fromEntries(kept), ...also }, required: names };
}

export type Fields = Readonly<Record<string, JsonSchema>>;
