import { createPlatformClient, type PlatformClientOptions } from '../client/platform-client.js';
import { type PlatformAccess } from '../platform-access.js';
import { type PlatformClient, type PlatformRequest } from '../platform.js';
import { classifyQuickBooks } from './answers.js';

export const QUICKBOOKS_TITLE = 'QuickBooks';
export const QUICKBOOKS_API = 'https://quickbooks.api.intuit.com';
/** Where the test companies of developers are. */
export const QUICKBOOKS_SANDBOX_API = 'https://sandbox-quickbooks.api.intuit.com';

/** Objects have the form of this version. */
const VERSION = { minorversion: '75' };

export type Tuning = Pick<PlatformClientOptions, 'timeoutMs' | 'sleep'>;

/** A client for one company; paths are below it, such as `/invoice/12`. `tuning` is for tests that cannot wait. */
export function createQuickBooksClient(
  access: PlatformAccess,
  tuning: Tuning = {},
  api = QUICKBOOKS_API,
): PlatformClient {
  const root = (access.baseUrl ?? api).replace(/\/+$/, '');
  const client = createPlatformClient({
    ...tuning,
    title: QUICKBOOKS_TITLE,
    access: { ...access, baseUrl: null },
    baseUrl: `${root}/v3/company/${encodeURIComponent(access.externalAccountId)}`,
    classify: classifyQuickBooks,
    headers: (accessToken) => ({ accept: 'application/json', authorization: `Bearer ${accessToken}` }),
    // Intuit keeps attachments there; their URLs are signed, and valid for a quarter of an hour.
    fileOrigins: [
      { origin: 'https://*.s3.amazonaws.com', isTrusted: false },
      { origin: 'https://*.s3.us-west-2.amazonaws.com', isTrusted: false },
    ],
  });
  const versioned = (request: PlatformRequest = {}): PlatformRequest => ({
    ...request,
    query: { ...VERSION, ...request.query },
  });
  return {
    ...client,
    get: (path, request) => client.get(path, versioned(request)),
    read: (path, request) => client.read(path, versioned(request)),
    send: ({ query, ...call }) =>
      client.send({
        ...call,
        query: query.some(([name]) => name in VERSION) ? query : [...query, ...Object.entries(VERSION)],
      }),
  };
}
