import { createHmac } from 'node:crypto';
import type { SandboxContext } from '../context.js';
import { type Call, formBody, header } from '../http/call.js';
import { json, type Reply } from '../http/reply.js';
import type { Platform } from '../platform.js';
import type { RegisteredClient } from '../settings.js';
import { type Account, findAccount } from '../store/accounts.js';
import { back, isScope } from './authorize.js';
import { isRegisteredUri } from './clients.js';
import { consentPage, errorPage } from './consent-page.js';
import { createCode, createGrant } from './grants.js';
import { exchange } from './token.js';

/** OAuth with endpoints per shop: no PKCE, comma-separated scopes, a signed callback, and no token_type. */

type Params = Readonly<Record<string, string>>;
type Checked =
  | { readonly reply: Reply }
  | {
      readonly client: RegisteredClient;
      readonly account: Account;
      readonly redirectUri: string;
      readonly scope: string;
      readonly state: string;
    };

/** Shows the consent page of one shop. */
export async function showShopConsent(
  context: SandboxContext,
  platform: Platform,
  call: Call,
  params: Params,
): Promise<Reply> {
  const checked = await check(context, platform, call.query, params);
  if ('reply' in checked) return checked.reply;
  const { client, account, redirectUri, scope } = checked;
  const fields = Object.fromEntries(call.query);
  const chosen = account.id;
  return consentPage({
    platform,
    clientId: client.clientId,
    redirectUri,
    scope,
    fields,
    accounts: [account],
    chosen,
  });
}

/** Handles the shop owner's decision. */
export async function decideShopConsent(
  context: SandboxContext,
  platform: Platform,
  call: Call,
  params: Params,
): Promise<Reply> {
  const origin = header(call, 'origin');
  if (origin !== null && origin !== call.origin) {
    return errorPage(platform, 'The form was sent from somewhere else.');
  }
  const form = await formBody(call);
  const checked = await check(context, platform, form, params);
  if ('reply' in checked) return checked.reply;
  const { client, account, redirectUri, scope, state } = checked;
  if (form.get('decision') !== 'approve') return back(redirectUri, { error: 'access_denied', state });
  const { clientId } = client;
  const grantId = await createGrant(context.pool, { account: account.key, clientId, scope });
  const lifetime = context.settings.codeLifetime;
  const code = await createCode(context.pool, { grantId, redirectUri, challenge: '', lifetime });
  const host = Buffer.from(`${call.origin}/${account.id}`).toString('base64url');
  const timestamp = String(Math.floor(Date.now() / 1000));
  const signed = { code, host, shop: account.id, state, timestamp };
  const message = Object.entries(signed)
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
  const hmac = createHmac('sha256', client.clientSecret).update(message).digest('hex');
  return back(redirectUri, { ...signed, hmac });
}

/** The token endpoint of a shop; its answers have no token_type. */
export async function exchangeForShop(
  context: SandboxContext,
  platform: Platform,
  call: Call,
): Promise<Reply> {
  const reply = await exchange(context, platform, call);
  const answer = JSON.parse(typeof reply.body === 'string' ? reply.body : '{}') as Record<string, unknown>;
  return json(reply.status, { ...answer, token_type: undefined }, reply.headers);
}

async function check(
  { settings, pool }: SandboxContext,
  platform: Platform,
  given: URLSearchParams,
  { shop = '' }: Params,
): Promise<Checked> {
  const account = await findAccount(pool, platform, shop);
  if (!account) return { reply: errorPage(platform, `There is no shop "${shop}".`) };
  const clientId = given.get('client_id') ?? '';
  const client = settings.clients[platform].find((one) => one.clientId === clientId);
  if (!client) return { reply: errorPage(platform, `There is no client "${clientId}".`) };
  const redirectUri = given.get('redirect_uri') ?? '';
  if (!URL.canParse(redirectUri) || !isRegisteredUri(client, redirectUri)) {
    return { reply: errorPage(platform, 'The redirect_uri is not one that the client registered.') };
  }
  const scope = (given.get('scope') ?? '').replaceAll(',', ' ');
  if (!isScope(scope)) return { reply: errorPage(platform, 'scope must be some of: read,write') };
  return { client, account, redirectUri, scope, state: given.get('state') ?? '' };
}
