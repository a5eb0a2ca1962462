import { createPlatformClient, type PlatformClientOptions } from '../client/platform-client.js';
import { type PlatformAccess } from '../platform-access.js';
import { type PlatformClient, type PlatformRequest } from '../platform.js';
import { classifyZoho, remainingOf } from './answers.js';
import { apiAddress } from './data-centers.js';

export const ZOHO_TITLE = 'Zoho Books';
/** The path of the API, at every data center. */
export const BOOKS = '/books/v3';

export type Tuning = Pick<PlatformClientOptions, 'timeoutMs' | 'sleep'>;

/** The parameter with the organization, one of those that a token opens. */
const ORGANIZATION = 'organization_id';
/** The path of the client's own organization: that of all of them lists others, too. */
export const OWN_ORGANIZATION = '/organizations/{organization_id}';

/** A client for one organization; paths are below the API, such as `/invoices/12`. `tuning` is for tests that cannot wait. */
export function createZohoClient(access: PlatformAccess, tuning: Tuning = {}): PlatformClient {
  const root = (access.baseUrl ?? apiAddress(access.settings)).replace(/\/+$/, '');
  const client = createPlatformClient({
    ...tuning,
    title: ZOHO_TITLE,
    access: { ...access, baseUrl: null },
    baseUrl: root + BOOKS,
    classify: classifyZoho,
    remaining: remainingOf,
    headers: (accessToken) => ({
      accept: 'application/json',
      authorization: `Zoho-oauthtoken ${accessToken}`,
    }),
  });
  const own = { [ORGANIZATION]: access.externalAccountId };
  const at = (path: string): string =>
    path === OWN_ORGANIZATION ? `/organizations/${encodeURIComponent(access.externalAccountId)}` : path;
  const ofOrganization = (request: PlatformRequest = {}): PlatformRequest => ({
    ...request,
    query: { ...request.query, ...own },
  });
  return {
    ...client,
    get: (path, request) => client.get(at(path), ofOrganization(request)),
    read: (path, request) => client.read(at(path), ofOrganization(request)),
    // Whatever a caller names: the token may open other organizations.
    send: ({ query, ...call }) =>
      client.send({
        ...call,
        query: [
          ...query.filter(([name]) => name.toLowerCase() !== ORGANIZATION),
          [ORGANIZATION, access.externalAccountId],
        ],
      }),
  };
}
