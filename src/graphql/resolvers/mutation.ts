import { AppError, type ErrorCode } from '../../errors.js';
import { toErrorCodeName } from '../error-codes.js';
import { inCamelCase, toPath } from '../names.js';
import type { SchemaUserError } from '../__generated__/resolvers.js';

/** What the caller can put right; everything else is an error of the request. */
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

interface Outcome {
  readonly clientMutationId: string | null;
  readonly userErrors: SchemaUserError[];
}

/** Runs a mutation: its payload says what was done or, with `nothing` in its place, what the caller got wrong. */
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
    return { ...nothing, clientMutationId: id, userErrors: [userErrorOf(error)] };
  }
}

/** Operations name input as REST does: `sync_config[0].data_model` is `syncConfig[0].dataModel` here. */
function userErrorOf({ code, message, field }: AppError): SchemaUserError {
  const last = field.slice(field.lastIndexOf('.') + 1);
  const named = [field, last].find((name) => name !== '' && message.startsWith(name));
  return {
    code: toErrorCodeName(code),
    field: toPath(field),
    message: named === undefined ? message : inCamelCase(named) + message.slice(named.length),
  };
}
