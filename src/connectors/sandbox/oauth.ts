import type { OAuthAccess, PlatformAccount, Reach } from '../access.js';
import type { PlatformObject } from '../platform.js';
import { platformGet } from '../client/platform-get.js';
import { objectOf, textOf } from '../values/platform-values.js';
import { unexpectedAnswer } from '../values/required-values.js';
import { sandboxRoot } from './address.js';

export interface SandboxOAuthOptions {
  readonly title: string;
  /** The platform's part of the sandbox: `accounting`, `payments` or `ecommerce`. */
  readonly platform: string;
  readonly profile: SandboxProfile;
}

/** How a platform describes the account. */
interface SandboxProfile {
  /** Path below the platform's part of the sandbox. */
  readonly path: string;
  headers(accountId: string): Readonly<Record<string, string>>;
  read(answer: PlatformObject): Pick<PlatformAccount, 'name' | 'baseCurrency'>;
}

/** All three sandbox platforms authorise in the same way; a token opens one account. */
export function sandboxOAuth(options: SandboxOAuthOptions): OAuthAccess {
  return {
    kind: 'oauth',
    fields: [],
    scopes: ['read', 'write'],
    scopeSeparator: ' ',
    pkce: true,
    clientAuthentication: 'basic',
    endpoints: ({ baseUrl }) => {
      const oauth = `${sandboxRoot(baseUrl)}/${options.platform}/oauth`;
      return { authorize: `${oauth}/authorize`, token: `${oauth}/token`, revoke: `${oauth}/revoke` };
    },
    accounts: async (access) => [await sandboxAccount(options, access)],
  };
}

/** The account that a token opens. */
export async function sandboxAccount(
  { title, platform, profile }: SandboxOAuthOptions,
  { baseUrl, dispatcher, accessToken }: Reach & { readonly accessToken: string },
): Promise<PlatformAccount> {
  const get = async (path: string, headers: Readonly<Record<string, string>> = {}) => {
    const answer = await platformGet({
      title,
      url: `${sandboxRoot(baseUrl)}/${platform}${path}`,
      dispatcher,
      headers: { accept: 'application/json', authorization: `Bearer ${accessToken}`, ...headers },
    });
    return objectOf(answer) ?? {};
  };
  const account = objectOf((await get('/oauth/whoami'))['account']) ?? {};
  const id = textOf(account['id']);
  if (id === null) throw unexpectedAnswer(title, 'did not say which account the token is for');
  const { name, baseCurrency } = profile.read(await get(profile.path, profile.headers(id)));
  return { externalAccountId: id, name: name ?? textOf(account['name']), baseCurrency };
}
