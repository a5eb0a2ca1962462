import type { TypedQueryDocumentNode } from 'graphql';
import type { Context } from '../context.js';
import { AppError, type Path } from '../errors.js';
import { toErrorCode } from '../graphql/error-codes.js';
import type { Executor } from '../graphql/execute.js';
import type { UserErrorFragment } from './__generated__/documents.js';
import { prepareOperation, type Renames } from './prepared.js';

/** A mutation with one input, its payload as `result`; it throws the payload's user errors. */
interface PreparedMutation<Payload, Input> {
  run(input: Input, context: Context): Promise<Payload>;
}

/** `renames` are input names that differ in REST, such as the id in a path. */
export function prepareMutation<Payload extends { readonly userErrors: readonly UserErrorFragment[] }, Input>(
  executor: Executor,
  document: TypedQueryDocumentNode<{ readonly result: Payload }, { readonly input: Input }>,
  renames: Renames = {},
): PreparedMutation<Payload, Input> {
  const operation = prepareOperation(executor, document, renames);
  return {
    run: async (input, context) => {
      const { result } = await operation.run({ input }, context);
      const [error] = result.userErrors;
      if (error) throw toAppError(error);
      return result;
    },
  };
}

/** The payload is already in REST's names. */
const toAppError = ({ code, message, field, retryAfter }: UserErrorFragment): AppError =>
  new AppError(toErrorCode(code), message, toPath(field), { message, isPassing: retryAfter !== null });

/** The path that an error's `field` shows. */
export const toPath = (field: readonly string[] | null): Path =>
  field?.map((part) => (/^\d+$/.test(part) ? Number(part) : part)) ?? [];
