import { invalid } from '../../errors.js';
import { type OAuthAccess, type PlatformAccount, type Reach } from '../access.js';
import { platformGet } from '../client/platform-get.js';
import { currencyCodeOf, decimalOf, objectOf, textOf } from '../values/platform-values.js';
import { listOf, requiredText, unexpectedAnswer } from '../values/required-values.js';
import { BOOKS, ZOHO_TITLE } from './client.js';
import {
  accountsAddress,
  API_DATA_CENTER,
  apiAddress,
  DATA_CENTER,
  dataCenterAt,
  dataCenterChoices,
} from './data-centers.js';

/**
 * What is read, and may be written. Vendor credits are `debitnotes`, the chart of accounts and journals `accountants`,
 * and items `settings`.
 */
const RIGHTS: Readonly<Record<string, readonly string[]>> = {
  settings: ['READ', 'CREATE', 'UPDATE'],
  accountants: ['READ', 'CREATE'],
  banking: ['READ'],
  contacts: ['READ', 'CREATE', 'UPDATE'],
  invoices: ['READ', 'CREATE', 'UPDATE'],
  creditnotes: ['READ', 'CREATE'],
  customerpayments: ['READ', 'CREATE'],
  salesorders: ['READ'],
  bills: ['READ', 'CREATE', 'UPDATE'],
  debitnotes: ['READ', 'CREATE'],
  vendorpayments: ['READ', 'CREATE'],
  purchaseorders: ['READ'],
  expenses: ['READ'],
};
const SCOPES = Object.entries(RIGHTS).flatMap(([module, rights]) =>
  rights.map((right) => `ZohoBooks.${module}.${right}`),
);

/** OAuth at the data center that the customer's account is in. The refresh token is one that does not change. */
export const zohoOAuth: OAuthAccess = {
  kind: 'oauth',
  fields: [
    {
      name: DATA_CENTER,
      type: 'choice',
      label: 'Data center',
      help: 'The one in the address of your Zoho Books, such as books.zoho.com or books.zoho.eu.',
      choices: dataCenterChoices,
    },
  ],
  scopes: SCOPES,
  scopeSeparator: ',',
  pkce: false,
  clientAuthentication: 'post',
  // Without consent asked for, a second authorisation gives no refresh token.
  parameters: { access_type: 'offline', prompt: 'consent' },
  endpoints: ({ baseUrl, settings }) => {
    const root = `${baseUrl ?? accountsAddress(settings)}/oauth/v2`;
    return { authorize: `${root}/auth`, token: `${root}/token`, revoke: `${root}/token/revoke` };
  },
  readCallback: (callback) => {
    const server = callback.get('accounts-server');
    if (server === null) return {};
    const dataCenter = dataCenterAt(server, 'accounts');
    if (dataCenter === null)
      throw invalid('accounts-server', 'must be the address of one of Zoho’s data centers');
    return { [DATA_CENTER]: dataCenter };
  },
  readTokenAnswer: (answer) => {
    const domain = textOf(answer['api_domain']);
    if (domain === null) return {};
    const dataCenter = dataCenterAt(domain, 'api');
    if (dataCenter === null) {
      throw unexpectedAnswer(ZOHO_TITLE, 'must name the API of one of Zoho’s data centers as api_domain');
    }
    return { [API_DATA_CENTER]: dataCenter };
  },
  accounts: organizationsOf,
};

/** The organizations that a token opens, the user's usual one first. */
async function organizationsOf({
  baseUrl,
  settings,
  dispatcher,
  accessToken,
}: Reach & { readonly accessToken: string }): Promise<PlatformAccount[]> {
  const answer = objectOf(
    await platformGet({
      title: ZOHO_TITLE,
      url: `${baseUrl ?? apiAddress(settings)}${BOOKS}/organizations`,
      dispatcher,
      headers: { accept: 'application/json', authorization: `Zoho-oauthtoken ${accessToken}` },
    }),
  );
  if (!answer || (decimalOf(answer['code']) ?? '0') !== '0') {
    const words = textOf(answer?.['message']) ?? 'no organizations';
    throw unexpectedAnswer(ZOHO_TITLE, `must answer with organizations, got ${words}`);
  }
  const organizations = listOf(ZOHO_TITLE, answer, 'organizations');
  const isFirst = (one: (typeof organizations)[number]) => one['is_default_org'] === true;
  return [...organizations]
    .sort((one, other) => Number(isFirst(other)) - Number(isFirst(one)))
    .map((organization) => ({
      externalAccountId: requiredText(ZOHO_TITLE, organization, 'organization_id'),
      name: textOf(organization['name']),
      baseCurrency: currencyCodeOf(organization['currency_code']),
    }));
}
