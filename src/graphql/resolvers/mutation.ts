import { AppError, type ErrorCode, isOverSoon, type Path } from '../../errors.js';
import { toErrorCodeName } from '../error-codes.js';
import type { SchemaUserErrorResolvers } from '../__generated__/resolvers.js';

/** Errors that the caller can fix; everything else is a request error. */
const CALLERS: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'missing-params',
  'invalid-params',
  'not-found',
  'no-file',
  'file-too-large',
  'conflict',
  'connection-expired',
  'operation-denied',
  'idempotency-key-reused',
]);

/** graphql-js throws an error that it is given as a value. */
export interface UserError {
  readonly error: AppError;
}

interface Outcome {
  readonly clientMutationId: string | null;
  readonly userErrors: UserError[];
}

/** Runs a mutation: its payload has the result or, with `nothing` in its place, the user errors. */
export async function carryOut<Done extends object, Nothing extends object>(
  { clientMutationId }: { readonly clientMutationId?: string | null | undefined },
  nothing: Nothing,
  work: () => Promise<Done>,
): Promise<(Done | Nothing) & Outcome> {
  const id = clientMutationId ?? null;
  try {
    return { ...(await work()), clientMutationId: id, userErrors: [] };
  } catch (error) {
    if (!(error instanceof AppError) || !CALLERS.has(error.code)) throw error;
    return { ...nothing, clientMutationId: id, userErrors: [{ error }] };
  }
}

export const userErrorFields: SchemaUserErrorResolvers = {
  code: ({ error }) => toErrorCodeName(error.code),
  field: ({ error }, _args, { inCallersNames }) => toFieldList(inCallersNames(error.field)),
  message: ({ error }, _args, { inCallersNames }) => error.withNames(inCallersNames).message,
  retryAfter: ({ error }) => (isOverSoon(error) ? 1 : null),
};

/** A path as errors show it: `["journalLines", "0", "netAmount"]`; null where no field is at fault. */
export const toFieldList = (path: Path): string[] | null => (path.length === 0 ? null : path.map(String));
