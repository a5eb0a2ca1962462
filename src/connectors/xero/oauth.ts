import type { OAuthScheme, PlatformAccount } from '../connector.js';
import { platformGet } from '../platform-get.js';
import { arrayOf, objectOf, textOf } from '../platform-values.js';
import { unexpectedAnswer } from './answer-error.js';
import { XERO_TITLE } from './client.js';

const API = 'https://api.xero.com';

/** Apps made since March 2026 must ask for these granular scopes. */
const SCOPES = [
  'offline_access',
  'accounting.settings',
  'accounting.contacts',
  'accounting.invoices',
  'accounting.payments',
  'accounting.banktransactions',
  'accounting.manualjournals',
  'accounting.attachments',
];

export const xeroOAuth: OAuthScheme = {
  scopes: SCOPES,
  clientAuthentication: 'basic',
  endpoints: (baseUrl) => ({
    authorize: `${baseUrl ?? 'https://login.xero.com'}/identity/connect/authorize`,
    token: `${baseUrl ?? 'https://identity.xero.com'}/connect/token`,
    revoke: `${baseUrl ?? 'https://identity.xero.com'}/connect/revocation`,
  }),
  /** A token may open several organisations: the one that was authorised last is the one that was chosen. */
  accounts: async ({ baseUrl, accessToken }) => {
    const answer = await platformGet({
      title: XERO_TITLE,
      url: `${baseUrl ?? API}/connections`,
      headers: { accept: 'application/json', authorization: `Bearer ${accessToken}` },
    });
    const connections = arrayOf(answer)?.map(objectOf) ?? [];
    const accounts = connections.map((connection): PlatformAccount & { readonly since: string } => {
      const externalAccountId = textOf(connection?.['tenantId']);
      if (externalAccountId === null) throw unexpectedAnswer('sent a connection without a tenantId');
      return {
        externalAccountId,
        name: textOf(connection?.['tenantName']),
        baseCurrency: null,
        since: textOf(connection?.['updatedDateUtc']) ?? '',
      };
    });
    return accounts.sort((a, b) => (a.since < b.since ? 1 : a.since > b.since ? -1 : 0));
  },
};
