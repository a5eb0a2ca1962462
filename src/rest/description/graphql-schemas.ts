import {
  type DocumentNode,
  type FragmentDefinitionNode,
  getNamedType,
  getNullableType,
  getOperationAST,
  type GraphQLInputType,
  type GraphQLNamedType,
  type GraphQLOutputType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type SelectionSetNode,
  typeFromAST,
} from 'graphql';
import { fragmentsOf } from '../../graphql/document/fragments.js';
import { inSnakeCase } from '../../base/names.js';
import {
  about,
  type Fields,
  flag,
  type JsonSchema,
  arrayOf,
  nullable,
  object,
  svcId,
  text,
  time,
  word,
} from './json-schema.js';

/** Decimals keep every digit: as text. */
export const decimalText: JsonSchema = { type: 'string', pattern: '^-?\\d+(\\.\\d+)?$' };

const SCALARS: Readonly<Record<string, JsonSchema>> = {
  ID: text,
  String: text,
  Int: { type: 'integer', format: 'int32', minimum: -(2 ** 31), maximum: 2 ** 31 - 1 },
  Float: { type: 'number' },
  Boolean: flag,
  DateTime: time,
  Date: { type: 'string', format: 'date' },
  Decimal: decimalText,
  SvcId: svcId,
  JSON: {},
};

/** Makes components of the fragments of operations. */
export type NameFragment = (name: string, make: () => JsonSchema) => JsonSchema;

/** The schema of a REST operation's result, below the response keys of `path`, without surrounding lists and null. */
export function selectedSchema(
  schema: GraphQLSchema,
  document: DocumentNode,
  { path, nameFragment }: { readonly path: readonly string[]; readonly nameFragment: NameFragment },
): JsonSchema {
  const operation = getOperationAST(document);
  const root = operation && schema.getRootType(operation.operation);
  if (!operation || !root) throw new Error('a document without an operation');
  const reader = new SelectionReader(fragmentsOf(document), nameFragment);
  let type: GraphQLNamedType = root;
  let selections: SelectionSetNode | undefined = operation.selectionSet;
  for (const key of path) {
    const field: SelectedField | undefined =
      selections && reader.fieldsOf(type, selections).find((one) => one.key === key);
    if (!field) throw new Error(`the operation ${operation.name?.value ?? ''} selects no ${path.join('.')}`);
    type = getNamedType(field.type);
    selections = field.below;
  }
  return reader.schemaOf(type, selections);
}

interface SelectedField {
  readonly key: string;
  readonly type: GraphQLOutputType;
  readonly description: string | null | undefined;
  readonly below: SelectionSetNode | undefined;
}

class SelectionReader {
  constructor(
    private readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>,
    private readonly nameFragment: NameFragment,
  ) {}

  schemaOf(type: GraphQLNamedType, selections: SelectionSetNode | undefined): JsonSchema {
    if (!selections) return leafSchema(type);
    const [only] = selections.selections;
    if (selections.selections.length === 1 && only?.kind === Kind.FRAGMENT_SPREAD) {
      return this.nameFragment(only.name.value, () => this.objectOf(type, selections));
    }
    return this.objectOf(type, selections);
  }

  fieldsOf(type: GraphQLNamedType, { selections }: SelectionSetNode): SelectedField[] {
    return selections.flatMap((selection): SelectedField[] => {
      if (selection.kind === Kind.FRAGMENT_SPREAD) {
        const fragment = this.fragments.get(selection.name.value);
        return fragment ? this.fieldsOf(type, fragment.selectionSet) : [];
      }
      if (selection.kind === Kind.INLINE_FRAGMENT) return this.fieldsOf(type, selection.selectionSet);
      // Its routes define what replaces `__typename`.
      const field = isObjectType(type) ? type.getFields()[selection.name.value] : undefined;
      const key = (selection.alias ?? selection.name).value;
      return field
        ? [{ key, type: field.type, description: field.description, below: selection.selectionSet }]
        : [];
    });
  }

  private objectOf(type: GraphQLNamedType, selections: SelectionSetNode): JsonSchema {
    const fields = this.fieldsOf(type, selections).map(
      ({ key, type: given, description, below }): [string, JsonSchema] => [
        key,
        about(description, this.valueOf(given, below)),
      ],
    );
    return object(Object.fromEntries(fields));
  }

  private valueOf(type: GraphQLOutputType, below: SelectionSetNode | undefined): JsonSchema {
    if (!isNonNullType(type)) return nullable(this.nonNull(getNullableType(type), below));
    return this.nonNull(type.ofType, below);
  }

  private nonNull(type: GraphQLOutputType, below: SelectionSetNode | undefined): JsonSchema {
    if (isListType(type)) return arrayOf(this.valueOf(type.ofType as GraphQLOutputType, below));
    const named = getNamedType(type);
    // REST shows the records of a connection that is whole, without the pages around them.
    const nodes =
      below && isObjectType(named) && named.name.endsWith('Connection')
        ? this.fieldsOf(named, below).find(({ key }) => key === 'nodes')
        : undefined;
    return nodes ? this.nonNull(getNullableType(nodes.type), nodes.below) : this.schemaOf(named, below);
  }
}

function leafSchema(type: GraphQLNamedType): JsonSchema {
  if (isEnumType(type)) return word(...type.getValues().map(({ name }) => name));
  const scalar = SCALARS[type.name];
  if (!scalar) throw new Error(`REST has no form of ${type.name}`);
  return scalar;
}

export interface InputOptions {
  /** Names of fields that differ in REST. */
  readonly renames?: Readonly<Record<string, string>>;
  /** Fields that are not in the body, by GraphQL's names. */
  readonly without?: readonly string[];
  /** Fields that are required, by REST's names, where they are not those of GraphQL. */
  readonly required?: readonly string[];
  /** Fields of which REST reads more than GraphQL, by REST's names. */
  readonly own?: Fields;
}

/** Relay's, which REST has no use for. */
const NEVER = 'clientMutationId';

/** The body that becomes the `input` of a mutation. */
export function inputSchema(
  schema: GraphQLSchema,
  document: DocumentNode,
  options: InputOptions = {},
): JsonSchema {
  const input = getOperationAST(document)?.variableDefinitions?.find(
    ({ variable }) => variable.name.value === 'input',
  );
  const type = input && typeFromAST(schema, input.type);
  if (!isNonNullType(type) || !isInputObjectType(type.ofType))
    throw new Error('an operation without an input');
  return inputObject(type.ofType, options);
}

function inputObject(
  type: GraphQLNamedType,
  { renames = {}, without = [], required, own = {} }: InputOptions,
): JsonSchema {
  if (!isInputObjectType(type)) throw new Error(`${type.name} is no input`);
  const fields = Object.values(type.getFields()).filter(
    ({ name }) => name !== NEVER && !without.includes(name),
  );
  const wire = (name: string) => renames[name] ?? inSnakeCase(name);
  const needed = required ?? fields.flatMap((one) => (isNonNullType(one.type) ? [wire(one.name)] : []));
  const properties = fields.map((one): [string, JsonSchema] => {
    const schema = about(one.description, own[wire(one.name)] ?? inputValue(getNullableType(one.type)));
    return [wire(one.name), needed.includes(wire(one.name)) ? schema : nullable(schema)];
  });
  return object(Object.fromEntries(properties), needed);
}

/** Names of fields on the wire that are not in snake case, by input. */
const RENAMES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  ScopeAccessInput: { read: 'READ', create: 'CREATE', update: 'UPDATE', delete: 'DELETE' },
};

function inputValue(type: GraphQLInputType): JsonSchema {
  const named = getNullableType(type);
  if (isListType(named)) return arrayOf(inputValue(named.ofType));
  if (isInputObjectType(named)) return inputObject(named, { renames: RENAMES[named.name] ?? {} });
  return leafSchema(getNamedType(named));
}
