import { type PlatformAccess, type PlatformClient } from '../connector.js';
import { createPlatformClient } from '../platform-client.js';

export const XERO_TITLE = 'Xero';
const API = 'https://api.xero.com';
const ACCOUNTING = '/api.xro/2.0';

export function createXeroClient(access: PlatformAccess): PlatformClient {
  return createPlatformClient({
    title: XERO_TITLE,
    access,
    baseUrl: API + ACCOUNTING,
    headers: (accessToken) => ({
      // Without it Xero answers XML.
      accept: 'application/json',
      authorization: `Bearer ${accessToken}`,
      'xero-tenant-id': access.externalAccountId,
    }),
  });
}
