import { type DocumentNode, getOperationAST, parse, validate } from 'graphql';
import type { Context } from '../context.js';
import { AppError, toAppError } from '../errors.js';
import { causeOf, type Executor } from '../graphql/execute.js';
import { createWordCheck } from './words.js';

/** `first` where a list must be complete: how much callers may ask for does not bind the service's own operations. */
export const ALL = 2_147_483_647;

/** A GraphQL operation of this service, parsed, validated and compiled once. */
export interface PreparedOperation {
  run(
    variables: Readonly<Record<string, unknown>>,
    context: Context,
  ): Promise<Readonly<Record<string, unknown>>>;
}

/** Names of GraphQL's arguments in the words of the REST parameters. */
export type Renames = Readonly<Record<string, string>>;

/** Throws when the text does not fit the schema: a route that cannot work stops the start. */
export function prepareOperation(executor: Executor, text: string, renames: Renames): PreparedOperation {
  const document: DocumentNode = parse(text, { noLocation: true });
  const [error] = validate(executor.schema, document);
  if (error) throw new Error(`a REST operation does not fit the schema: ${error.message}\n${text}`);
  const checkWords = createWordCheck(executor.schema, getOperationAST(document)?.variableDefinitions ?? []);
  let compiled = false;
  return {
    run: async (variables, context) => {
      checkWords(variables);
      // There are more operations than most callers use: each is compiled when it is first wanted.
      if (!compiled) executor.prepare(document);
      compiled = true;
      const limits = { ...context.limits, maxPageSize: ALL };
      const { data, errors } = await executor.run({ document, variables }, { ...context, limits });
      if (errors?.[0]) throw renamed(toAppError(causeOf(errors[0])), renames);
      return data ?? {};
    },
  };
}

function renamed(error: AppError, renames: Renames): AppError {
  const name = renames[error.field];
  if (name === undefined) return error;
  const message = error.message.startsWith(error.field)
    ? name + error.message.slice(error.field.length)
    : error.message;
  return new AppError(error.code, message, name, { cause: error });
}
