import { type PlatformAccess, type PlatformClient } from '../connector.js';
import { createPlatformClient, type PlatformClientOptions } from '../platform-client.js';
import { classifyXero } from './answers.js';
import { remainingOf } from './limits.js';

export const XERO_TITLE = 'Xero';
const API = 'https://api.xero.com';
const ACCOUNTING = '/api.xro/2.0';

/** A client for one organisation. `tuning` is for tests that cannot wait. */
export function createXeroClient(
  access: PlatformAccess,
  tuning: Pick<PlatformClientOptions, 'timeoutMs' | 'sleep'> = {},
): PlatformClient {
  return createPlatformClient({
    ...tuning,
    title: XERO_TITLE,
    access,
    baseUrl: API + ACCOUNTING,
    classify: classifyXero,
    remaining: remainingOf,
    headers: (accessToken) => ({
      // Without it Xero answers XML.
      accept: 'application/json',
      authorization: `Bearer ${accessToken}`,
      'xero-tenant-id': access.externalAccountId,
    }),
  });
}
