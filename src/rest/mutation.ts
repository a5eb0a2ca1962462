import type { Context } from '../context.js';
import { AppError } from '../errors.js';
import { toErrorCode } from '../graphql/error-codes.js';
import type { Executor } from '../graphql/execute.js';
import { inCamelCase, inSnakeCase, toWireName } from '../graphql/names.js';
import { prepareOperation, type Renames } from './prepared.js';

interface UserError {
  readonly code: string;
  readonly message: string;
  readonly field: readonly string[] | null;
}

/** A mutation of one input, its payload as `result`; it throws what the payload says the caller got wrong. */
export interface PreparedMutation {
  run(input: Readonly<Record<string, unknown>>, context: Context): Promise<Readonly<Record<string, unknown>>>;
}

/**
 * Prepares `mutation` with a selection of its payload. `renames` are names of input that REST has other words for, such
 * as the id in a path.
 */
export function prepareMutation(
  executor: Executor,
  mutation: string,
  selection: string,
  renames: Renames = {},
): PreparedMutation {
  const type = `${mutation.charAt(0).toUpperCase()}${mutation.slice(1)}Input`;
  const operation = prepareOperation(
    executor,
    `mutation ($input: ${type}!) {
      result: ${mutation}(input: $input) { ${selection} userErrors { code message field } } }`,
    {},
  );
  return {
    run: async (input, context) => {
      const { result } = await operation.run({ input }, context);
      const payload = result as Readonly<Record<string, unknown>> & { userErrors: UserError[] };
      const [error] = payload.userErrors;
      if (error) throw inWireNames(error, renames);
      return payload;
    },
  };
}

function inWireNames({ code, message, field: path }: UserError, renames: Renames): AppError {
  const field = inCamelCase(toWireName(path));
  const wire = renames[field] ?? toWireName(path);
  const last = field.slice(field.lastIndexOf('.') + 1);
  const named = [field, last].find((name) => name !== '' && message.startsWith(name));
  const name = named === field ? wire : named === undefined ? '' : inSnakeCase(named);
  const words = named === undefined ? message : name + message.slice(named.length);
  return new AppError(toErrorCode(code), words, wire);
}
