import {
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
 * Refuses words that their enum does not have, in the variables of an operation. GraphQL would refuse the variable too,
 * in words that know nothing of the request: this names the field at fault as the caller wrote it, and what would be
 * right.
 */
export function createWordCheck(
  schema: GraphQLSchema,
  definitions: readonly VariableDefinitionNode[],
): (variables: Readonly<Record<string, unknown>>, toNames: (path: Path) => Path) => void {
  const inputs = definitions.flatMap(({ variable, type }) => {
    const found = typeFromAST(schema, type);
    return isInputType(found) ? [{ name: variable.name.value, type: found }] : [];
  });
  return (variables, toNames) => {
    for (const { name, type } of inputs) {
      // The fields of a mutation's input are the fields of the request's body.
      checkValue(type, variables[name], { path: name === 'input' ? [] : [name], toNames });
    }
  };
}

interface Place {
  readonly path: Path;
  readonly toNames: (path: Path) => Path;
}

function checkValue(type: GraphQLInputType, value: unknown, { path, toNames }: Place): void {
  const below = (part: string | number): Place => ({ path: [...path, part], toNames });
  if (value === null || value === undefined) return;
  if (isNonNullType(type)) checkValue(type.ofType, value, { path, toNames });
  else if (isListType(type)) {
    const { ofType } = type;
    if (Array.isArray(value)) value.forEach((one, index) => checkValue(ofType, one, below(index)));
  } else if (isInputObjectType(type)) {
    const fields = type.getFields();
    for (const [name, one] of Object.entries(value)) {
      const field = fields[name];
      if (field) checkValue(field.type, one, below(name));
    }
  } else if (isEnumType(type) && typeof value === 'string' && !type.getValue(value)) {
    const words = type.getValues().map(({ name }) => name);
    throw invalid(toNames(path), `must be one of ${words.join(', ')}, got ${value.slice(0, 60)}`);
  }
}

/** The words of a list that an enum has. */
export function knownWords(schema: GraphQLSchema, name: string, words: readonly string[]): string[] {
  const type = schema.getType(name);
  if (!isEnumType(type)) throw new Error(`${name} is no enum of the schema`);
  return words.filter((word) => type.getValue(word));
}
