import { z } from 'zod';
import { json } from '../http/reply.js';
import { isScope } from '../oauth/authorize.js';
import { createGrant, endTokens, issueTokens } from '../oauth/grants.js';
import { tokenAnswer } from '../oauth/token.js';
import type { ControlHandler } from './handler.js';
import { accountsOf, inputOf, platformInput } from './input.js';

const issueInput = z.strictObject({
  platform: platformInput,
  account: z.string(),
  scope: z.string().refine(isScope, 'must be some of: read write').default('read write'),
  expires_in: z.number().int().min(1).max(86_400).optional(),
});

/** Issues tokens for an account, as if a user had approved. */
export const issueToken: ControlHandler = async (call) => {
  const { pool, settings } = call.context;
  const { platform, account: id, scope, expires_in: expiresIn } = await inputOf(call, issueInput);
  const [account] = await accountsOf(call.context, id, platform);
  const clientId = settings.clients[platform][0]?.clientId ?? '';
  const grantId = await createGrant(pool, { account: account?.key ?? 0, clientId, scope });
  const tokens = await issueTokens(pool, grantId, expiresIn ?? settings.expiresIn);
  return json(200, tokenAnswer(platform, id, tokens, scope));
};

const endInput = z.strictObject({ action: z.enum(['expire', 'revoke']), platform: platformInput.optional() });

/** Expires an account's access tokens, or revokes all its grants. */
export const endAccountTokens: ControlHandler = async (call) => {
  const { action, platform } = await inputOf(call, endInput);
  const accounts = await accountsOf(call.context, call.params['id'] ?? '', platform);
  for (const { key } of accounts) await endTokens(call.context.pool, key, action);
  return json(200, { done: true });
};
