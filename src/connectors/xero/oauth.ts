import type { Ending, OAuthAccess, PlatformAccount, Reach } from '../access.js';
import { platformDelete, platformGet } from '../client/platform-get.js';
import { arrayOf, objectOf, textOf } from '../values/platform-values.js';
import { unexpectedAnswer } from './answer-error.js';
import { XERO_API, XERO_TITLE } from './client.js';

/** Apps created since March 2026 must request these granular scopes. */
const SCOPES = [
  'offline_access',
  'accounting.settings',
  'accounting.contacts',
  'accounting.invoices',
  'accounting.payments',
  'accounting.banktransactions',
  'accounting.manualjournals',
  'accounting.attachments',
  'accounting.reports.balancesheet.read',
  'accounting.reports.profitandloss.read',
  'accounting.reports.trialbalance.read',
];

export const xeroOAuth: OAuthAccess = {
  kind: 'oauth',
  fields: [],
  scopes: SCOPES,
  scopeSeparator: ' ',
  pkce: true,
  clientAuthentication: 'basic',
  endpoints: ({ baseUrl }) => ({
    authorize: `${baseUrl ?? 'https://login.xero.com'}/identity/connect/authorize`,
    token: `${baseUrl ?? 'https://identity.xero.com'}/connect/token`,
    revoke: `${baseUrl ?? 'https://identity.xero.com'}/connect/revocation`,
  }),
  accounts: async (access) =>
    (await listConnections(access))
      .filter(({ isOrganisation }) => isOrganisation)
      .map(({ tenantId, name }): PlatformAccount => ({
        externalAccountId: tenantId,
        name,
        baseCurrency: null,
      })),
  end: endConnection,
};

interface XeroConnection {
  readonly id: string | null;
  readonly tenantId: string;
  readonly name: string | null;
  /** False for an accountant's practice, which keeps no books itself. */
  readonly isOrganisation: boolean;
}

type TokenReach = Reach & Pick<Ending, 'accessToken'> & Partial<Pick<Ending, 'signal'>>;

const requestOf = ({ baseUrl, accessToken, dispatcher, signal }: TokenReach, path: string) => ({
  title: XERO_TITLE,
  url: `${baseUrl ?? XERO_API}${path}`,
  dispatcher,
  headers: { accept: 'application/json', authorization: `Bearer ${accessToken}` },
  ...(signal && { signal }),
});

/** Everything that the app's user has connected, organisations and others, the most recently authorised first. */
async function listConnections(access: TokenReach): Promise<XeroConnection[]> {
  const answer = await platformGet(requestOf(access, '/connections'));
  const connections = (arrayOf(answer)?.map(objectOf) ?? []).map((connection) => {
    const tenantId = textOf(connection?.['tenantId']);
    if (tenantId === null) throw unexpectedAnswer('sent a connection without a tenantId');
    return {
      id: textOf(connection?.['id']),
      tenantId,
      name: textOf(connection?.['tenantName']),
      isOrganisation: (connection?.['tenantType'] ?? 'ORGANISATION') === 'ORGANISATION',
      since: textOf(connection?.['updatedDateUtc']) ?? '',
    };
  });
  return connections.sort((a, b) => (a.since < b.since ? 1 : a.since > b.since ? -1 : 0));
}

/** Ends one connection by its id: revoking the token would end all of its user's connections. */
async function endConnection(ending: Ending): Promise<boolean> {
  const found = (await listConnections(ending)).find(({ tenantId }) => tenantId === ending.externalAccountId);
  if (!found) return true;
  if (found.id === null) return false;
  return platformDelete(requestOf(ending, `/connections/${encodeURIComponent(found.id)}`));
}
