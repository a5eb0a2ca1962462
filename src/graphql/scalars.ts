import { GraphQLError, type GraphQLScalarTypeConfig, Kind, type ValueNode } from 'graphql';
import { parseJson } from '../base/raw-json.js';
import { parseDate, parseDateTime, parseDecimal, parseSvcId } from '../base/values.js';

/** Values are returned as they are in rows: the read path provides them in their final form. */
const asStored = (value: unknown): unknown => value;

/** The rest of a scalar (its description, where it is specified) is in the schema. */
type Scalar = Required<
  Pick<GraphQLScalarTypeConfig<unknown, unknown>, 'serialize' | 'parseValue' | 'parseLiteral'>
>;

function scalar<Value>(
  name: string,
  parse: (value: unknown, field: string) => Value,
  literals: readonly Kind[],
): Scalar {
  return {
    serialize: asStored,
    parseValue: (value) => parse(value, name),
    parseLiteral: (node: ValueNode) => {
      if (!literals.includes(node.kind) || !('value' in node)) {
        throw new GraphQLError(`this is not a valid ${name}`, { nodes: node });
      }
      return parse(node.value, name);
    },
  };
}

/** The schema's own scalars: `values.ts` defines the values of each. */
export const scalars = {
  DateTime: scalar('DateTime', parseDateTime, [Kind.STRING]),
  Date: scalar('Date', parseGivenDay, [Kind.STRING]),
  Decimal: scalar('Decimal', parseDecimal, [Kind.STRING, Kind.INT, Kind.FLOAT]),
  SvcId: scalar('SvcId', parseSvcId, [Kind.INT, Kind.STRING]),
  JSON: {
    serialize: asStored,
    parseValue: asStored,
    parseLiteral: jsonLiteral,
  },
} satisfies Record<string, Scalar>;

/** A date-time stays as written: a filter compares days with it, and what takes a day alone reads it again. */
function parseGivenDay(value: unknown, field: string): unknown {
  parseDate(value, field);
  return value;
}

/** A literal as the equivalent JSON value. Unlike graphql-js's own conversion, it does not read numbers as doubles. */
function jsonLiteral(node: ValueNode, variables?: Readonly<Record<string, unknown>> | null): unknown {
  switch (node.kind) {
    case Kind.NULL:
      return null;
    case Kind.INT:
    case Kind.FLOAT:
      return parseJson(node.value);
    case Kind.STRING:
    case Kind.BOOLEAN:
    case Kind.ENUM:
      return node.value;
    case Kind.LIST:
      return node.values.map((value) => jsonLiteral(value, variables));
    case Kind.OBJECT:
      return Object.fromEntries(
        node.fields.map(({ name, value }) => [name.value, jsonLiteral(value, variables)]),
      );
    case Kind.VARIABLE:
      return variables?.[node.name.value];
    default:
      return node satisfies never;
  }
}
