import { z } from 'zod';
import { Failure } from '../failure.js';
import { json } from '../http/reply.js';
import { makeCompany } from '../make-account.js';
import { PLATFORMS } from '../platform.js';
import { listAccounts } from '../store/accounts.js';
import type { ControlHandler } from './handler.js';
import { accountsOf, inputOf, platformInput } from './input.js';

/** Lists every account with its number of objects by kind. */
export const list: ControlHandler = async ({ context: { pool } }) => {
  const accounts = await listAccounts(pool);
  const { rows } = await pool.query<{ account: number; kind: string; live: number }>(
    'SELECT account, kind, live FROM kinds',
  );
  const byId = new Map<string, { id: string; name: string; platforms: string[]; objects: object }>();
  for (const { key, id, name, platform } of accounts) {
    const known = byId.get(id) ?? { id, name, platforms: [], objects: {} };
    const kinds = rows
      .filter(({ account }) => account === key)
      .map(({ kind, live }) => [kind, live] as const);
    known.platforms.push(platform);
    Object.assign(known.objects, { [platform]: Object.fromEntries(kinds) });
    byId.set(id, known);
  }
  return json(200, { accounts: [...byId.values()] });
};

const createInput = z.strictObject({
  id: z.string().regex(/^[a-z0-9][a-z0-9-]{0,62}$/, 'must be small letters, digits and hyphens'),
  name: z.string().min(1).max(200),
  platforms: z
    .array(platformInput)
    .min(1)
    .default([...PLATFORMS]),
  seed: z.number().int().min(1).default(1),
  records: z.number().int().min(1).max(5_000_000).nullable().default(null),
  trade: z.enum(['furniture', 'consulting']).default('furniture'),
});

/** Creates a company. */
export const create: ControlHandler = async (call) => {
  const company = await inputOf(call, createInput);
  const objects = await makeCompany(call.context, company);
  if (objects === 0) throw new Failure('bad-request', `there is an account ${company.id} already`);
  return json(201, { id: company.id, objects });
};

const deadInput = z.strictObject({
  mode: z.enum(['hang', '503']).nullable(),
  platform: platformInput.optional(),
});

/** Makes the platform stop answering for the account, or resume. */
export const setDead: ControlHandler = async (call) => {
  const { mode, platform } = await inputOf(call, deadInput);
  const keys = (await accountsOf(call.context, call.params['id'] ?? '', platform)).map(({ key }) => key);
  await call.context.pool.query('UPDATE accounts SET dead = $2 WHERE key = ANY ($1)', [keys, mode]);
  return json(200, { done: true });
};

const idempotencyInput = z.strictObject({ enabled: z.boolean(), platform: platformInput.optional() });

/** Turns idempotency keys on or off for an account. */
export const setIdempotency: ControlHandler = async (call) => {
  const { enabled, platform } = await inputOf(call, idempotencyInput);
  const keys = (await accountsOf(call.context, call.params['id'] ?? '', platform)).map(({ key }) => key);
  await call.context.pool.query('UPDATE accounts SET idempotency = $2 WHERE key = ANY ($1)', [keys, enabled]);
  return json(200, { done: true });
};
