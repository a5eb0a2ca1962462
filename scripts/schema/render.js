// Renders the single document that clients download from the files in src/graphql/schema/: merges extensions into
// their types, and adds derived types.
import { readdirSync, readFileSync } from 'node:fs';
import { Kind, parse, print } from 'graphql';
import { definitionsFrom, directiveOf, fieldsFrom, nameOf } from './ast.js';
import {
  companyList,
  connectionTypes,
  enumFilter,
  isRecord,
  recordQueries,
  selectionTypes,
  withListArguments,
} from './lists.js';
import { tableEnums } from './tables.js';
import { writeMutations, writeTypes } from './writes.js';

const FOLDER = new URL('../../src/graphql/schema/', import.meta.url);
const HEAD = `# The GraphQL interface. Written by \`npm run codegen\` from src/graphql/schema/: edit the files there.\n\n`;

export async function renderSchema() {
  const { defined, extensions } = readDefinitions();
  const definitions = [...defined, ...(await tableEnums())];
  const enums = new Set(
    definitions.filter(({ kind }) => kind === Kind.ENUM_TYPE_DEFINITION).map(({ name }) => name.value),
  );
  const record = definitions.find(({ name }) => name.value === 'Record');
  const whole = definitions.map((type) =>
    isRecord(type) ? { ...type, fields: [...record.fields, ...type.fields] } : type,
  );
  const records = whole.filter(isRecord);
  extend(whole, 'Query', records.flatMap(recordQueries));
  extend(whole, 'Company', records.flatMap(companyList));
  extend(whole, 'Mutation', records.flatMap(writeMutations));
  const types = new Map(whole.map((type) => [type.name.value, type]));
  const listed = namesOfLists(whole).map((name) => types.get(name));
  const selections = new Map(listed.map((type) => [type, selectionTypes(type, enums)]));
  const filters = new Set([...selections.values()].flat().flatMap(filtersIn));
  const all = whole.flatMap((type) => [
    type,
    ...(filters.has(`${type.name.value}Filter`) && enums.has(type.name.value)
      ? enumFilter(type.name.value)
      : []),
    ...(listed.includes(type) ? [...connectionTypes(type), ...(selections.get(type) ?? [])] : []),
    ...writeTypes(type),
  ]);
  // Extensions of connections, which are derived from the types.
  for (const { name, fields } of extensions) extend(all, name.value, fields);
  const complete = all.map((type) =>
    type.fields && type.kind === Kind.OBJECT_TYPE_DEFINITION
      ? {
          ...type,
          fields: type.fields.map((field) =>
            directiveOf(field, 'list') ? withListArguments(field, types) : field,
          ),
        }
      : type,
  );
  return HEAD + `${print({ kind: Kind.DOCUMENT, definitions: withoutInternal(complete) })}\n`;
}

/**
 * The definitions of all files, with their extensions merged in, and the remaining extensions; root types come first.
 */
function readDefinitions() {
  const files = readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.graphql'))
    .sort((one, other) => depthOf(one) - depthOf(other) || (one < other ? -1 : 1));
  const parsed = files.flatMap((name) => definitionsFrom(readFileSync(new URL(name, FOLDER), 'utf8')));
  const isRoot = ({ name }) => name.value === 'Query' || name.value === 'Mutation';
  const defined = parsed.filter(({ kind }) => kind !== Kind.OBJECT_TYPE_EXTENSION);
  const definitions = [...defined.filter(isRoot), ...defined.filter((one) => !isRoot(one))];
  const extensions = parsed.filter(({ kind }) => kind === Kind.OBJECT_TYPE_EXTENSION);
  const isDefined = ({ name }) => definitions.some((type) => type.name.value === name.value);
  for (const { name, fields } of extensions.filter(isDefined)) extend(definitions, name.value, fields);
  return { defined: definitions, extensions: extensions.filter((one) => !isDefined(one)) };
}

const depthOf = (name) => name.split(/[\\/]/).length;

function extend(definitions, name, fields) {
  const index = definitions.findIndex((type) => type.name.value === name);
  if (index < 0) throw new Error(`there is no type ${name} to extend`);
  const type = definitions[index];
  definitions[index] = { ...type, fields: [...(type.fields ?? []), ...fields] };
}

/** Types that a field lists in pages. */
function namesOfLists(definitions) {
  const fields = definitions
    .filter(({ kind }) => kind === Kind.OBJECT_TYPE_DEFINITION)
    .flatMap((type) => type.fields ?? [])
    .filter((field) => directiveOf(field, 'list'));
  return [...new Set(fields.map((field) => nameOf(field.type).replace(/Connection$/, '')))];
}

const filtersIn = (definition) =>
  definition.kind === Kind.INPUT_OBJECT_TYPE_DEFINITION
    ? definition.fields.map((field) => nameOf(field.type))
    : [];

/** Clients do not know the generator's directives, and block descriptions are easier to read. */
function withoutInternal(definitions) {
  const clean = (node) => {
    if (Array.isArray(node)) return node.map(clean);
    if (typeof node !== 'object' || node === null) return node;
    const copy = Object.fromEntries(Object.entries(node).map(([name, value]) => [name, clean(value)]));
    if (copy.directives) copy.directives = copy.directives.filter(({ name }) => !INTERNAL.has(name.value));
    if (copy.description) copy.description = { ...copy.description, block: true };
    return copy;
  };
  return clean(definitions.filter(({ kind }) => kind !== Kind.DIRECTIVE_DEFINITION));
}

const INTERNAL = new Set(['list', 'filterable', 'filteredAsText', 'writes']);
