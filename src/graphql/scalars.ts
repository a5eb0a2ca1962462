import { GraphQLError, GraphQLScalarType, Kind, type ValueNode, valueFromASTUntyped } from 'graphql';
import { parseDate, parseDateTime, parseDecimal, parseSvcId } from '../values.js';

/** Values leave as they stand in rows: the read path gives them in their final form (design 10.5). */
const asStored = (value: unknown): unknown => value;

function scalar<Value>(
  name: string,
  parse: (value: unknown, field: string) => Value,
  literals: readonly Kind[],
): GraphQLScalarType {
  return new GraphQLScalarType({
    name,
    serialize: asStored,
    parseValue: (value) => parse(value, name),
    parseLiteral: (node: ValueNode) => {
      if (!literals.includes(node.kind) || !('value' in node)) {
        throw new GraphQLError(`${name} cannot be written like this`, { nodes: node });
      }
      return parse(node.value, name);
    },
  });
}

/** The schema's own scalars: `values.ts` says what each takes. */
export const scalars = {
  DateTime: scalar('DateTime', parseDateTime, [Kind.STRING]),
  Date: scalar('Date', parseDate, [Kind.STRING]),
  Decimal: scalar('Decimal', parseDecimal, [Kind.STRING, Kind.INT, Kind.FLOAT]),
  SvcId: scalar('SvcId', parseSvcId, [Kind.INT, Kind.STRING]),
  JSON: new GraphQLScalarType({
    name: 'JSON',
    serialize: asStored,
    parseValue: asStored,
    parseLiteral: (node, variables) => valueFromASTUntyped(node, variables),
  }),
};
