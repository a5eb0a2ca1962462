import { describe, expect, test } from '@jest/globals';
import { getNamedType, type GraphQLInputObjectType, isInputObjectType } from 'graphql';
import { connectors } from '../../src/connectors/index.js';
import { type JsonSchema, jsonSchemaOf } from '../../src/connectors/inputs/schema.js';
import { createSchema } from '../../src/graphql/schema.js';
import { definitionOf, recordTypeOf, records } from '../../src/records/index.js';
import { writtenTypes } from '../../src/operations/integrations/capabilities.js';

const schema = createSchema();
const inSnakeCase = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const forms = connectors.flatMap(({ title, push }) =>
  (push?.resources ?? []).flatMap(({ definition, create, update }) =>
    [['creates', create] as const, ['updates', update] as const].flatMap(([verb, form]) =>
      form ? [[`${title} ${verb} ${definition.dataModel}`, definition, form] as const] : [],
    ),
  ),
);

/** Names that a JSON Schema knows, with those of lines and parts as `line_items.account_id`. */
function namesIn(json: JsonSchema, path = ''): string[] {
  const either = (json['anyOf'] as JsonSchema[] | undefined)?.find((one) => one['type'] !== 'null');
  if (either) return namesIn(either, path);
  if (json['items']) return namesIn(json['items'] as JsonSchema, path);
  const properties = Object.entries((json['properties'] ?? {}) as Record<string, JsonSchema>);
  return properties.flatMap(([name, inner]) => [`${path}${name}`, ...namesIn(inner, `${path}${name}.`)]);
}

/** The same of an input type of GraphQL. */
function namesOf(type: GraphQLInputObjectType, path = ''): string[] {
  return Object.values(type.getFields()).flatMap((field) => {
    const inner = getNamedType(field.type);
    const name = `${path}${inSnakeCase(field.name)}`;
    return [name, ...(isInputObjectType(inner) ? namesOf(inner, `${name}.`) : [])];
  });
}

/** Values of every kind; of the few that a field takes, nothing is said. */
const ODD_VALUES = [true, 5, 'x', '', {}, [], [5], ['x'], [null], [[]], [{}]];

/** Items with an odd value in one place of a schema, `around` which they are. */
function oddItems(json: JsonSchema, around: (value: unknown) => unknown): unknown[] {
  const either = (json['anyOf'] as JsonSchema[] | undefined)?.find((one) => one['type'] !== 'null');
  if (either) return oddItems(either, around);
  const properties = Object.entries((json['properties'] ?? {}) as Record<string, JsonSchema>);
  return [
    ...ODD_VALUES.map(around),
    ...(json['items'] ? oddItems(json['items'] as JsonSchema, (value) => around([value])) : []),
    ...properties.flatMap(([name, inner]) => oddItems(inner, (value) => around({ [name]: value }))),
  ];
}

describe.each(forms)('%s', (_title, definition, form) => {
  const json = jsonSchemaOf(form.input);

  test('has only fields that the GraphQL input has', () => {
    const input = schema.getType(`${definition.model}Input`);
    if (!isInputObjectType(input)) throw new Error(`${definition.model}Input is missing`);
    const known = new Set(namesOf(input));
    expect(namesIn(json).filter((name) => !known.has(name))).toEqual([]);
  });

  test('has only fields of the record or those that the contract has in their place', () => {
    const wires = new Set(Object.values(definition.own).map(({ wire }) => wire));
    const relations = new Set(Object.values(definition.relations).map(({ wire }) => wire));
    const others = [
      'platform_id',
      'raw_data',
      // A credit note's rate shows in what it is worth.
      'currency_rate',
      'email',
      'website',
      'telephone',
      'mobile',
      'fax',
      'base64_file',
      'custom_fields',
    ];
    const odd = Object.keys(json['properties'] as object).filter(
      (name) => !wires.has(name) && !relations.has(name) && !others.includes(name),
    );
    expect(odd).toEqual([]);
  });

  test('has its own error message for every field', () => {
    const problems = oddItems(json, (value) => value).flatMap((item) => {
      const parsed = form.input.safeParse(item);
      return parsed.success ? [] : parsed.error.issues;
    });
    const words = problems.map(({ message }) => message);
    expect(words.length).toBeGreaterThan(0);
    // What is not there is told from the issue, whatever its words.
    expect(words.filter((one) => /invalid|expected/i.test(one))).toEqual([]);
  });

  test('requires a currency rate above 0', () => {
    const [hasRate, rate] = ['currency_rate' in (json['properties'] as object), '0.00'];
    const issues = form.input.safeParse({ currency_rate: rate }).error?.issues ?? [];
    const words = issues.filter(({ path }) => path[0] === 'currency_rate').map(({ message }) => message);
    expect(words).toEqual(hasRate ? [expect.stringMatching(/^must be above 0/)] : []);
  });

  test('refers only to existing record types', () => {
    const named = JSON.stringify(json).match(/"x-references":"(\w+)"/g) ?? [];
    const types = named.map((text) => text.split('"')[3] ?? '');
    expect(types.filter((dataModel) => recordTypeOf(dataModel) === null)).toEqual([]);
  });
});

test('each type that can be written has its mutations, and only those', () => {
  const fields = Object.keys(schema.getMutationType()?.getFields() ?? {});
  const many = (model: string) => {
    const { list } = definitionOf(model);
    return list.charAt(0).toUpperCase() + list.slice(1);
  };
  const wanted = writtenTypes().flatMap(({ definition, isUpdated }) => [
    `create${many(definition.model)}`,
    ...(isUpdated ? [`update${many(definition.model)}`] : []),
  ]);
  const lists = new Set(records.map(({ model }) => many(model)));
  const found = fields.filter((name) => lists.has(name.replace(/^(create|update)/, '')));
  expect(found.sort()).toEqual(wanted.sort());
});
