import { AppError, invalid } from '../../errors.js';
import { type OAuthAccess, type PlatformAccount, type Reach } from '../access.js';
import { plainAccess } from '../platform-access.js';
import { type PlatformObject } from '../platform.js';
import { nullIfRefused } from '../client/platform-errors.js';
import { objectOf, textOf } from '../values/platform-values.js';
import { unexpectedAnswer } from '../values/required-values.js';
import { createQuickBooksClient, QUICKBOOKS_TITLE } from './client.js';
import { readBaseCurrency } from './company.js';

/** Somebody waits in a browser. */
const PATIENCE_MS = 5000;
const LIMITS = { timeoutMs: 15_000 } as const;

/** The setting with the company, which only the redirect back to us names. */
const REALM = 'realm_id';

/** OAuth for one company, the realm. */
export const quickbooksOAuth = (api: string): OAuthAccess => ({
  kind: 'oauth',
  fields: [],
  scopes: ['com.intuit.quickbooks.accounting'],
  scopeSeparator: ' ',
  pkce: false,
  clientAuthentication: 'basic',
  revocation: 'json',
  endpoints: ({ baseUrl }) => ({
    authorize: `${baseUrl ?? 'https://appcenter.intuit.com'}/connect/oauth2`,
    token: `${baseUrl ?? 'https://oauth.platform.intuit.com'}/oauth2/v1/tokens/bearer`,
    revoke: `${baseUrl ?? 'https://developer.api.intuit.com'}/v2/oauth2/tokens/revoke`,
  }),
  readCallback: (callback) => {
    const realmId = callback.get('realmId') ?? '';
    if (!/^\d{1,30}$/.test(realmId)) throw invalid('realmId', 'must be the number of a company');
    return { [REALM]: realmId };
  },
  accounts: async (access) => [await companyOf(access, api)],
});

/**
 * The company of the redirect, which has come by the customer's browser: it is theirs only if the token, which opens a
 * single company, reads it.
 */
async function companyOf(
  { baseUrl, dispatcher, accessToken, settings }: Reach & { readonly accessToken: string },
  api: string,
): Promise<PlatformAccount> {
  const externalAccountId = settings[REALM] ?? '';
  const access = plainAccess({
    baseUrl: baseUrl ?? undefined,
    accessToken,
    externalAccountId,
    patienceMs: PATIENCE_MS,
  });
  const client = createQuickBooksClient({ ...access, dispatcher }, LIMITS, api);
  const answer: PlatformObject = await client
    .get(`/companyinfo/${externalAccountId}`)
    .catch((error: unknown) => {
      throw refusalOf(error);
    });
  const company = objectOf(answer['CompanyInfo']);
  if (!company) throw unexpectedAnswer(QUICKBOOKS_TITLE, 'must answer with a CompanyInfo');
  return {
    externalAccountId,
    name: textOf(company['CompanyName']),
    baseCurrency: await readBaseCurrency(client).catch(nullIfRefused),
  };
}

function refusalOf(error: unknown): unknown {
  const isRefusal =
    error instanceof AppError && (error.code === 'connection-expired' || error.code === 'platform-refused');
  return isRefusal
    ? invalid('realmId', `must be the company that access was granted to: ${error.message}`)
    : error;
}
