import { type ClientOptions, type PlatformClient } from '../connector.js';
import { createPlatformClient } from '../platform-client.js';

export const XERO_TITLE = 'Xero';
const DEFAULT_BASE_URL = 'https://api.xero.com/api.xro/2.0';

export function createXeroClient(options: ClientOptions): PlatformClient {
  return createPlatformClient({
    title: XERO_TITLE,
    baseUrl: options.baseUrl ?? DEFAULT_BASE_URL,
    headers: {
      // Without it Xero answers XML.
      accept: 'application/json',
      authorization: `Bearer ${options.accessToken}`,
      'xero-tenant-id': options.externalAccountId,
    },
  });
}
