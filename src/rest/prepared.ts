import { getOperationAST, type TypedQueryDocumentNode, validate } from 'graphql';
import type { Context } from '../context.js';
import { type Path, toAppError } from '../errors.js';
import { causeOf, type Executor } from '../graphql/execute.js';
import { isUnchanged } from '../graphql/records-read.js';
import { toWirePath } from '../base/names.js';
import { lazily } from './remember.js';
import { createWordReader } from './words.js';

/** `first` if a list must be complete: page limits for callers do not apply to the service's own operations. */
const ALL = 2_147_483_647;

/** A GraphQL operation of this service, validated and compiled on first use: most callers use few of them. */
export interface PreparedOperation<Result, Variables> {
  run(variables: Variables, context: Context): Promise<Result>;
  /**
   * Whether the caller already has the answer; false if the operation's reads have no stamp. Must be called before
   * `run`.
   */
  isUnchanged(variables: Variables, context: Context): Promise<boolean>;
}

/** GraphQL arguments whose REST name, or that of their content, differs from what `toWirePath` returns. */
export type Renames = Readonly<Record<string, string | ((below: Path) => Path)>>;

/** REST names of the paging arguments. */
export const PAGE = { first: 'limit', last: 'limit', after: 'next', before: 'prev', skip: 'offset' } as const;

/**
 * `run` throws if the document does not fit the schema; a test runs every operation. An operation with unlimited
 * variants is compiled like callers' documents: the second time it is used.
 */
export function prepareOperation<Result, Variables extends Readonly<Record<string, unknown>>>(
  executor: Executor,
  document: TypedQueryDocumentNode<Result, Variables>,
  renames: Renames = {},
  { isCallers = false }: { readonly isCallers?: boolean } = {},
): PreparedOperation<Result, Variables> {
  const inCallersNames = (path: Path): Path => {
    const [first = '', ...rest] = path;
    const name = renames[first];
    if (name === undefined) return toWirePath(path);
    return typeof name === 'string' ? [name, ...toWirePath(rest)] : name(rest);
  };
  const prepare = lazily(() => {
    const [error] = validate(executor.schema, document);
    if (error) throw new Error(`a REST operation does not fit the schema: ${error.message}`);
    if (!isCallers) executor.prepare(document);
    return createWordReader(executor.schema, getOperationAST(document)?.variableDefinitions ?? []);
  });
  return {
    isUnchanged: (variables, context) => isUnchanged(executor.schema, { document, variables }, context),
    run: async (variables, context) => {
      const readWords = prepare();
      const read = readWords(variables, inCallersNames);
      const own = { ...context, inCallersNames, limits: { ...context.limits, maxPageSize: ALL } };
      const { data, errors } = await executor.run({ document, variables: read }, own);
      if (errors?.[0]) throw toAppError(causeOf(errors[0])).withNames(inCallersNames);
      // The type of the document describes exactly its selection.
      return data as Result;
    },
  };
}
