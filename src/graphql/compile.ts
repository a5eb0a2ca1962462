import { type DocumentNode, getOperationAST, type GraphQLSchema, type VariableDefinitionNode } from 'graphql';
import { type CompiledQuery, compileQuery, isCompiledQuery } from 'graphql-jit';
import { expandedSelections } from './document/expanded.js';
import { withPlainVariables, type WrittenArgument } from './document/plain-variables.js';

/** graphql-jit expands fragments wherever they are spread: compiling a fragment bomb would never finish. */
const MAX_COMPILED_SELECTIONS = 5000;

/** An operation compiled by graphql-jit; its variables have to be checked first (see below). */
export interface Compiled {
  readonly query: CompiledQuery['query'];
  readonly variableDefinitions: readonly VariableDefinitionNode[];
  /** Additional variables, derived from the caller's. */
  readonly written: readonly WrittenArgument[];
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
    const plain = withPlainVariables(schema, document);
    // Rows hold final values and the scalars serialise by identity, so that leaves need no work.
    const compiled = compileQuery(schema, plain.document, operationName, {
      disableLeafSerialization: true,
    });
    if (!operation || !isCompiledQuery(compiled)) return null;
    const { variableDefinitions = [] } = operation;
    return { query: compiled.query, variableDefinitions, written: plain.written };
  } catch {
    return null;
  }
}
