import {
  getNamedType,
  type GraphQLInputType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInputType,
  isListType,
  isNonNullType,
  typeFromAST,
  type VariableDefinitionNode,
} from 'graphql';
import { invalid, type Path } from '../errors.js';

/**
 * Converts enum values in the variables of an operation to the enum's case, and refuses unknown ones. GraphQL would
 * refuse the variable too, with a message unrelated to the request: this names the field at fault as the caller wrote
 * it, and the valid values.
 */
export function createWordReader(
  schema: GraphQLSchema,
  definitions: readonly VariableDefinitionNode[],
): <Variables extends Readonly<Record<string, unknown>>>(
  variables: Variables,
  toNames: (path: Path) => Path,
) => Variables {
  const inputs = definitions.flatMap(({ variable, type }) => {
    const found = typeFromAST(schema, type);
    return isInputType(found) && hasWords(found) ? [{ name: variable.name.value, type: found }] : [];
  });
  return (variables, toNames) => {
    const read = inputs.flatMap(({ name, type }): [string, unknown][] =>
      // The fields of a mutation's input are the fields of the request's body.
      Object.hasOwn(variables, name)
        ? [[name, readWords(type, variables[name], { path: name === 'input' ? [] : [name], toNames })]]
        : [],
    );
    return { ...variables, ...(Object.fromEntries(read) as object) };
  };
}

/** Whether words of an enum may be in values of a type. */
const hasWords = (type: GraphQLInputType): boolean => {
  const named = getNamedType(type);
  return isEnumType(named) || isInputObjectType(named);
};

interface Place {
  readonly path: Path;
  readonly toNames: (path: Path) => Path;
}

function readWords(type: GraphQLInputType, value: unknown, { path, toNames }: Place): unknown {
  const below = (part: string | number): Place => ({ path: [...path, part], toNames });
  if (value === null || value === undefined) return value;
  if (isNonNullType(type)) return readWords(type.ofType, value, { path, toNames });
  if (isListType(type)) {
    const { ofType } = type;
    if (!Array.isArray(value) || !hasWords(ofType)) return value;
    return value.map((one: unknown, index) => readWords(ofType, one, below(index)));
  }
  if (isInputObjectType(type)) {
    const fields = type.getFields();
    const read = Object.entries(value).map(([name, one]): [string, unknown] => {
      const field = fields[name];
      return [name, field ? readWords(field.type, one, below(name)) : one];
    });
    return Object.fromEntries(read);
  }
  if (!isEnumType(type) || typeof value !== 'string') return value;
  // In any case: those of enums are in capitals.
  const word = type.getValue(value.toUpperCase())?.name;
  if (word !== undefined) return word;
  const words = type.getValues().map(({ name }) => name);
  throw invalid(toNames(path), `must be one of ${words.join(', ')}, got ${value.slice(0, 60)}`);
}

/** The words of a list that an enum has. */
export function knownWords(schema: GraphQLSchema, name: string, words: readonly string[]): string[] {
  const type = schema.getType(name);
  if (!isEnumType(type)) throw new Error(`${name} is no enum of the schema`);
  return words.filter((word) => type.getValue(word));
}
