import type { SandboxContext } from '../context.js';
import { type Call, formBody, header } from '../http/call.js';
import { empty, type Reply } from '../http/reply.js';
import type { Platform } from '../platform.js';
import { findAccount, listAccounts } from '../store/accounts.js';
import { isRegisteredUri } from './clients.js';
import { consentPage, errorPage } from './consent-page.js';
import { createCode, createGrant } from './grants.js';

/** The scopes a client requests, and the address for the answer. */
interface AuthoriseRequest {
  readonly clientId: string;
  readonly redirectUri: string;
  readonly state: string | null;
  readonly scope: string;
  readonly challenge: string;
}

type Checked =
  { readonly request: AuthoriseRequest; readonly fields: Record<string, string> } | { readonly reply: Reply };

const FIELDS = [
  'response_type',
  'client_id',
  'redirect_uri',
  'state',
  'scope',
  'code_challenge',
  'code_challenge_method',
] as const;
const SCOPES = ['read', 'write'];

/** Shows the consent page. */
export async function showConsent(context: SandboxContext, platform: Platform, call: Call): Promise<Reply> {
  const checked = check(context, platform, call.query);
  if ('reply' in checked) return checked.reply;
  const { request, fields } = checked;
  const accounts = await listAccounts(context.pool, platform);
  return consentPage({ platform, ...request, fields, accounts, chosen: call.query.get('account') });
}

/** Handles the submitted consent form. */
export async function decideConsent(context: SandboxContext, platform: Platform, call: Call): Promise<Reply> {
  const origin = header(call, 'origin');
  if (origin !== null && origin !== call.origin) {
    return errorPage(platform, 'The form was sent from somewhere else.');
  }
  const form = await formBody(call);
  const checked = check(context, platform, form);
  if ('reply' in checked) return checked.reply;
  const { request } = checked;
  if (form.get('decision') !== 'approve') {
    return back(request.redirectUri, { error: 'access_denied', state: request.state });
  }
  const account = await findAccount(context.pool, platform, form.get('account') ?? '');
  if (!account) return errorPage(platform, 'There is no such account.');
  const { clientId, scope, challenge, redirectUri } = request;
  const grantId = await createGrant(context.pool, { account: account.key, clientId, scope });
  const lifetime = context.settings.codeLifetime;
  const code = await createCode(context.pool, { grantId, redirectUri, challenge, lifetime });
  return back(redirectUri, { code, state: request.state, ...accountParameter(platform, account.id) });
}

/** How each platform names the account next to a code or a token. */
export function accountParameter(platform: Platform, id: string): Record<string, string> {
  switch (platform) {
    case 'accounting':
      return { company: id };
    case 'payments':
      return {};
    case 'ecommerce':
      return { shop: id };
    default:
      return platform satisfies never;
  }
}

function check({ settings }: SandboxContext, platform: Platform, given: URLSearchParams): Checked {
  const clientId = given.get('client_id') ?? '';
  const client = settings.clients[platform].find((one) => one.clientId === clientId);
  if (!client) return { reply: errorPage(platform, `There is no client "${clientId}".`) };
  const redirectUri = given.get('redirect_uri') ?? '';
  if (!URL.canParse(redirectUri) || !isRegisteredUri(client, redirectUri)) {
    return { reply: errorPage(platform, 'The redirect_uri is not one that the client registered.') };
  }
  const state = given.get('state');
  const refuse = (error: string, description: string): Checked => ({
    reply: back(redirectUri, { error, error_description: description, state }),
  });
  if (given.get('response_type') !== 'code') {
    return refuse('unsupported_response_type', 'response_type must be code');
  }
  const challenge = given.get('code_challenge') ?? '';
  if (given.get('code_challenge_method') !== 'S256' || !/^[\w-]{43}$/.test(challenge)) {
    return refuse('invalid_request', 'code_challenge with code_challenge_method=S256 is required');
  }
  const scope = given.get('scope') ?? SCOPES.join(' ');
  if (!isScope(scope)) return refuse('invalid_scope', `scope must be some of: ${SCOPES.join(' ')}`);
  const fields = Object.fromEntries(
    FIELDS.flatMap((name) => (given.has(name) ? [[name, given.get(name) ?? '']] : [])),
  );
  return { request: { clientId, redirectUri, state, scope, challenge }, fields };
}

/** Whether all parts of a scope exist. */
export const isScope = (scope: string): boolean =>
  scope.split(' ').every((one) => SCOPES.includes(one)) && scope !== '';

export function back(redirectUri: string, parameters: Readonly<Record<string, string | null>>): Reply {
  const url = new URL(redirectUri);
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== null) url.searchParams.set(name, value);
  }
  return empty(303, { location: url.href, 'referrer-policy': 'no-referrer' });
}
