import { z } from 'zod';
import type { SandboxContext } from '../context.js';
import { badRequest, Failure } from '../failure.js';
import { type Call, jsonBody } from '../http/call.js';
import { type Platform, PLATFORMS } from '../platform.js';
import { type Account, listAccounts } from '../store/accounts.js';

export const platformInput = z.enum(PLATFORMS);

/** Parses the body with `schema`; throws the first problem. */
export async function inputOf<Schema extends z.ZodType>(
  call: Call,
  schema: Schema,
): Promise<z.output<Schema>> {
  const result = schema.safeParse(await jsonBody(call));
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const field = issue?.path.join('.') ?? '';
  throw badRequest(field, `${field === '' ? '' : `${field}: `}${issue?.message ?? 'is not valid'}`);
}

/** The accounts with an id: on one platform, or on all that have it. Throws if there is none. */
export async function accountsOf(
  { pool }: SandboxContext,
  id: string,
  platform: Platform | null | undefined,
): Promise<Account[]> {
  const accounts = (await listAccounts(pool, platform ?? undefined)).filter((one) => one.id === id);
  if (accounts.length > 0) return accounts;
  throw new Failure('not-found', `there is no account ${id}${platform ? ` on ${platform}` : ''}`);
}
