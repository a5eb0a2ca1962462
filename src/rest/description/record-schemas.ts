import { getNamedType, isEnumType, isNonNullType, isObjectType } from 'graphql';
import type { RecordDefinition } from '../../records/define.js';
import { SELECTABLE } from '../request/parts.js';
import { expandable, recordShape, type Shape, type ShapeField, type Style } from '../shape.js';
import { decimalText } from './graphql-schemas.js';
import type { Describer } from './describe.js';
import {
  about,
  type Fields,
  flag,
  type JsonSchema,
  arrayOf,
  nullable,
  object,
  shownDay,
  svcId,
  text,
  time,
  word,
} from './json-schema.js';
import type { FieldKind } from '../../records/fields.js';
import { definitionOf } from '../../records/index.js';

/** The values of each kind of field. */
export const KINDS: Readonly<Record<FieldKind, JsonSchema>> = {
  text,
  textList: arrayOf(text),
  decimalNumber: { type: 'number' },
  decimalText,
  timestamp: time,
  date: time,
  boolean: flag,
  svcId,
  json: {},
  version: text,
};

/** A record as a style shows it (Reference G5), with everything that parameters may add. */
export function recordSchema(
  describer: Describer,
  definition: RecordDefinition,
  style: Style = 'v3',
): JsonSchema {
  const name = style === 'all' ? `Unversioned${definition.model}` : definition.model;
  return describer.component(name, () => {
    const always = recordShape(definition, { style, expand: [], select: [], includeDeleted: false });
    const whole = recordShape(definition, {
      style,
      expand: [...expandable(definition).values()],
      select: [...SELECTABLE.values()],
      includeDeleted: true,
    });
    return shapeSchema(describer, definition, whole, { required: always.map(({ wire }) => wire) });
  });
}

/** A record of a shape, with all its fields required unless others are named, plus additional ones. */
export function shapeSchema(
  describer: Describer,
  definition: RecordDefinition,
  shape: Shape,
  { required, also = {} }: { readonly required?: readonly string[]; readonly also?: Fields } = {},
): JsonSchema {
  const fields = shape.map((field): [string, JsonSchema] => [
    field.wire,
    fieldSchema(describer, definition, field),
  ]);
  const needed = required ?? [...shape.map(({ wire }) => wire), ...Object.keys(also)];
  const schema = object({ ...Object.fromEntries(fields), ...also }, needed);
  return about(describer.typeOf(definition.model)?.description, schema);
}

function fieldSchema(
  describer: Describer,
  { model, fields }: RecordDefinition,
  field: ShapeField,
): JsonSchema {
  const { description, isNull } = graphqlField(describer, model, field.graphql);
  if ('shape' in field) return about(description, relationSchema(describer, model, field));
  const { kind, values, isFilteredAsText } = fields[field.graphql] ?? { kind: field.kind };
  const schema =
    kind === 'date'
      ? shownDay(description)
      : about(description, values && !isFilteredAsText ? word(...values) : KINDS[kind]);
  return isNull ? nullable(schema) : schema;
}

function relationSchema(
  describer: Describer,
  model: string,
  field: Extract<ShapeField, { shape: unknown }>,
): JsonSchema {
  const target = targetOf(describer, model, field.graphql);
  const style = field.wrapped ? 'Unversioned' : '';
  const isRecord = recordOf(target)?.role === 'record';
  const relations = new Set(field.shape.filter((one) => 'shape' in one).map(({ wire }) => wire));
  const make = () => {
    const definition = recordOf(target);
    const fields = field.shape.map((one): [string, JsonSchema] => [
      one.wire,
      definition ? fieldSchema(describer, definition, one) : embeddedField(describer, target, one),
    ]);
    // A line's relations are present only if requested; those in a record's shape always are.
    const always = field.shape.map(({ wire }) => wire).filter((wire) => isRecord || !relations.has(wire));
    return object(Object.fromEntries(fields), always);
  };
  const role = isRecord ? (relations.size > 0 ? 'Expanded' : 'Related') : '';
  const one = describer.component(`${style}${role}${target}`, make);
  if (field.kind !== 'object') {
    const list = arrayOf(one);
    return field.wrapped ? object({ data: list }) : list;
  }
  // Reference G5: the value if there is none.
  const value =
    field.absent === '{}' ? { anyOf: [one, { type: 'object', maxProperties: 0 }] } : nullable(one);
  return field.wrapped ? object({ data: value }) : value;
}

function embeddedField(describer: Describer, model: string, field: ShapeField): JsonSchema {
  if ('shape' in field) throw new Error(`${model}.${field.wire} is no plain field`);
  const { description, isNull, type } = graphqlField(describer, model, field.graphql);
  const named = getNamedType(type);
  const schema = isEnumType(named) ? word(...named.getValues().map(({ name }) => name)) : KINDS[field.kind];
  return about(description, isNull ? nullable(schema) : schema);
}

function recordOf(model: string): RecordDefinition | null {
  try {
    return definitionOf(model);
  } catch {
    return null;
  }
}

function graphqlField(describer: Describer, model: string, name: string) {
  const type = describer.typeOf(model);
  const field = isObjectType(type) ? type.getFields()[name] : undefined;
  if (!field) throw new Error(`${model} has no field ${name}`);
  return { description: field.description, isNull: !isNonNullType(field.type), type: field.type };
}

/** The type of a relation's elements: of the nodes, if it is a connection. */
function targetOf(describer: Describer, model: string, name: string): string {
  const { type } = graphqlField(describer, model, name);
  const named = String(type).replace(/[![\]]/g, '');
  return named.endsWith('Connection') ? named.slice(0, -'Connection'.length) : named;
}
