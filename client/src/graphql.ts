import { GraphqlError, type GraphqlProblem } from './errors.js';
import type { Send } from './send.js';

/** The text of an operation that knows the types of its variables and its answer. */
export interface Document<Result, Variables> {
  toString(): string;
  readonly __types?: (variables: Variables) => Result;
}

/** Gives a text the types of an operation: `typed<MyQuery, MyQueryVariables>('query ...')`. */
export const typed = <Result, Variables = Readonly<Record<string, never>>>(
  text: string,
): Document<Result, Variables> => text;

export interface GraphqlOptions {
  readonly signal?: AbortSignal;
  /** Whether a mutation may be sent twice: where its input has an `idempotencyKey`, for one. Queries may. */
  readonly isRepeatable?: boolean;
}

const MUTATION = /(^|\s)mutation\b/;

export async function runGraphql<Result, Variables>(
  send: Send,
  document: Document<Result, Variables>,
  variables: Variables | undefined,
  { signal, isRepeatable }: GraphqlOptions = {},
): Promise<Result> {
  const query = document.toString();
  const answer = await send({
    method: 'POST',
    path: '/graphql',
    body: { query, variables: variables ?? {} },
    ...(signal ? { signal } : {}),
    isRepeatable: isRepeatable ?? !MUTATION.test(query),
  });
  const { data, errors } = (await answer.json()) as { data: Result; errors?: readonly GraphqlProblem[] };
  if (errors?.length) throw new GraphqlError(errors);
  return data;
}
