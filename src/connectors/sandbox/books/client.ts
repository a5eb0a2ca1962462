import { type PlatformAccess } from '../../platform-access.js';
import { type PlatformClient } from '../../platform.js';
import { createPlatformClient, type PlatformClientOptions } from '../../client/platform-client.js';
import { accessBelow } from '../address.js';

export const BOOKS_TITLE = 'SVC Sandbox Books';
const BOOKS_API = '/accounting/api/2';

/** A client for one company. `tuning` is for tests that cannot wait. */
export function createBooksClient(
  access: PlatformAccess,
  tuning: Pick<PlatformClientOptions, 'timeoutMs' | 'sleep'> = {},
): PlatformClient {
  const below = accessBelow(access, BOOKS_API);
  return createPlatformClient({
    ...tuning,
    title: BOOKS_TITLE,
    access: below,
    baseUrl: below.baseUrl,
    headers: (accessToken) => ({
      accept: 'application/json',
      authorization: `Bearer ${accessToken}`,
      'sandbox-company': access.externalAccountId,
    }),
  });
}
