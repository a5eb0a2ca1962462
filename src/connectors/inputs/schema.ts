import { z } from 'zod';

import type { Path } from '../../errors.js';
import { fromWirePath } from '../../base/names.js';
import { REFERENCES } from './fields.js';

/** A JSON Schema (draft 2020-12) as an object. */
export type JsonSchema = Readonly<Record<string, unknown>>;

const schemas = new WeakMap<z.ZodObject, JsonSchema>();

/** The JSON Schema of items as callers may send them. */
export function jsonSchemaOf(input: z.ZodObject): JsonSchema {
  let schema = schemas.get(input);
  if (!schema) schemas.set(input, (schema = z.toJSONSchema(input, { io: 'input' }) as JsonSchema));
  return schema;
}

/** A record that an item refers to. */
export interface NamedRecord {
  readonly dataModel: string;
  readonly platformId: string;
  readonly path: Path;
}

/** The records that an item names by platform id. */
export function recordsNamedIn(input: z.ZodObject, item: unknown): NamedRecord[] {
  return namedIn(jsonSchemaOf(input), item, []);
}

function namedIn(schema: JsonSchema, value: unknown, path: Path): NamedRecord[] {
  const dataModel = schema[REFERENCES];
  if (typeof dataModel === 'string') {
    return typeof value === 'string' ? [{ dataModel, platformId: value, path: fromWirePath(path) }] : [];
  }
  const either = schema['anyOf'] as readonly JsonSchema[] | undefined;
  if (either) return either.flatMap((one) => namedIn(one, value, path));
  if (Array.isArray(value)) {
    const items = schema['items'] as JsonSchema | undefined;
    return items ? value.flatMap((one, index) => namedIn(items, one, [...path, index])) : [];
  }
  const properties = schema['properties'] as Readonly<Record<string, JsonSchema>> | undefined;
  if (!properties || typeof value !== 'object' || value === null) return [];
  return Object.entries(properties).flatMap(([name, inner]) =>
    namedIn(inner, (value as Record<string, unknown>)[name], [...path, name]),
  );
}

/** An unknown field in an item. */
interface UnknownField {
  /** As the caller wrote it. */
  readonly name: string;
  /** The object that contains it. */
  readonly path: Path;
}

/** Unknown fields, such as `memmo`, or `amount` in `['journalLines', 0]`. */
export function unknownFieldsIn(input: z.ZodObject, item: unknown): UnknownField[] {
  return unknownIn(jsonSchemaOf(input), item, []);
}

function unknownIn(schema: JsonSchema, value: unknown, path: Path): UnknownField[] {
  const either = schema['anyOf'] as readonly JsonSchema[] | undefined;
  const [first] = either?.filter((one) => one['type'] !== 'null') ?? [];
  if (first) return unknownIn(first, value, path);
  if (Array.isArray(value)) {
    const items = schema['items'] as JsonSchema | undefined;
    return items ? value.flatMap((one, index) => unknownIn(items, one, [...path, index])) : [];
  }
  const properties = schema['properties'] as Readonly<Record<string, JsonSchema>> | undefined;
  if (!properties || typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return known ? unknownIn(known, inner, [...path, name]) : [{ name, path: fromWirePath(path) }];
  });
}

/** The fields that are null in an item; not those inside lists, which are replaced as a whole. */
export function nullFieldsIn(input: z.ZodObject, item: unknown): Path[] {
  return nullsIn(jsonSchemaOf(input), item, []);
}

function nullsIn(schema: JsonSchema, value: unknown, path: Path): Path[] {
  const either = schema['anyOf'] as readonly JsonSchema[] | undefined;
  const [first] = either?.filter((one) => one['type'] !== 'null') ?? [];
  if (first) return nullsIn(first, value, path);
  const properties = schema['properties'] as Readonly<Record<string, JsonSchema>> | undefined;
  if (!properties || typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (!known) return [];
    return inner === null ? [fromWirePath([...path, name])] : nullsIn(known, inner, [...path, name]);
  });
}
