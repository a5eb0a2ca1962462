import { z } from 'zod';

import { REFERENCES } from './fields.js';

/** A JSON Schema (draft 2020-12) as an object. */
export type JsonSchema = Readonly<Record<string, unknown>>;

const schemas = new WeakMap<z.ZodObject, JsonSchema>();

/** What items may hold, for callers: amounts and days as they may be sent. */
export function jsonSchemaOf(input: z.ZodObject): JsonSchema {
  let schema = schemas.get(input);
  if (!schema) schemas.set(input, (schema = z.toJSONSchema(input, { io: 'input' }) as JsonSchema));
  return schema;
}

/** A record that an item names. */
export interface NamedRecord {
  readonly dataModel: string;
  readonly platformId: string;
  /** Where it stands: `journal_lines[0].account_id`. */
  readonly field: string;
}

/** The records that an item names by platform id. */
export function recordsNamedIn(input: z.ZodObject, item: unknown): NamedRecord[] {
  return namedIn(jsonSchemaOf(input), item, '');
}

function namedIn(schema: JsonSchema, value: unknown, field: string): NamedRecord[] {
  const dataModel = schema[REFERENCES];
  if (typeof dataModel === 'string') {
    return typeof value === 'string' ? [{ dataModel, platformId: value, field }] : [];
  }
  const either = schema['anyOf'] as readonly JsonSchema[] | undefined;
  if (either) return either.flatMap((one) => namedIn(one, value, field));
  if (Array.isArray(value)) {
    const items = schema['items'] as JsonSchema | undefined;
    return items ? value.flatMap((one, index) => namedIn(items, one, `${field}[${index}]`)) : [];
  }
  const properties = schema['properties'] as Readonly<Record<string, JsonSchema>> | undefined;
  if (!properties || typeof value !== 'object' || value === null) return [];
  return Object.entries(properties).flatMap(([name, inner]) =>
    namedIn(inner, (value as Record<string, unknown>)[name], field === '' ? name : `${field}.${name}`),
  );
}

/** Fields that stand in an item and mean nothing there: `memmo`, `journal_lines[0].amount`. */
export function unknownFieldsIn(input: z.ZodObject, item: unknown): string[] {
  return unknownIn(jsonSchemaOf(input), item, '');
}

function unknownIn(schema: JsonSchema, value: unknown, field: string): string[] {
  const either = schema['anyOf'] as readonly JsonSchema[] | undefined;
  const [first] = either?.filter((one) => one['type'] !== 'null') ?? [];
  if (first) return unknownIn(first, value, field);
  if (Array.isArray(value)) {
    const items = schema['items'] as JsonSchema | undefined;
    return items ? value.flatMap((one, index) => unknownIn(items, one, `${field}[${index}]`)) : [];
  }
  const properties = schema['properties'] as Readonly<Record<string, JsonSchema>> | undefined;
  if (!properties || typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const here = field === '' ? name : `${field}.${name}`;
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return known ? unknownIn(known, inner, here) : [here];
  });
}
