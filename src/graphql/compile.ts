import {
  type DocumentNode,
  getOperationAST,
  type GraphQLSchema,
  Kind,
  type VariableDefinitionNode,
  visit,
} from 'graphql';
import { type CompiledQuery, compileQuery, isCompiledQuery } from 'graphql-jit';
import { expandedSelections } from './document/expanded.js';

/** graphql-jit writes fragments out wherever they are spread: a bomb of them would never be done. */
const MAX_COMPILED_SELECTIONS = 5000;

/** An operation as graphql-jit compiled it; its variables are to be checked before (see below). */
export interface Compiled {
  readonly query: CompiledQuery['query'];
  readonly variableDefinitions: readonly VariableDefinitionNode[];
}

/** Null for an operation that graphql-jit cannot compile. */
export function compile(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string,
): Compiled | null {
  if (expandedSelections(document) > MAX_COMPILED_SELECTIONS) return null;
  try {
    const operation = getOperationAST(document, operationName || null);
    // Rows hold final values and the scalars serialise by identity, so that leaves need no work.
    const compiled = compileQuery(schema, withPlainVariables(document), operationName, {
      disableLeafSerialization: true,
    });
    if (!operation || !isCompiledQuery(compiled)) return null;
    return { query: compiled.query, variableDefinitions: operation.variableDefinitions ?? [] };
  } catch {
    return null;
  }
}

/**
 * graphql-jit writes the check of an input type out in full, without end for one that holds itself, as filters do. So
 * graphql-js checks variables, and the compiled query takes them as they are.
 */
function withPlainVariables(document: DocumentNode): DocumentNode {
  const type = { kind: Kind.NAMED_TYPE, name: { kind: Kind.NAME, value: 'JSON' } } as const;
  return visit(document, {
    VariableDefinition: ({ kind, variable }) => ({ kind, variable, type }),
  });
}
