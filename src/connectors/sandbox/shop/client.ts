import { type PlatformAccess } from '../../platform-access.js';
import { type PlatformClient } from '../../platform.js';
import { createPlatformClient, type PlatformClientOptions } from '../../client/platform-client.js';
import { accessBelow } from '../address.js';

export const SHOP_TITLE = 'SVC Sandbox Shop';
const SHOP_API = '/ecommerce/admin/2026-10';

/** A client for the shop of the token. `tuning` is for tests that cannot wait. */
export function createShopClient(
  access: PlatformAccess,
  tuning: Pick<PlatformClientOptions, 'timeoutMs' | 'sleep'> = {},
): PlatformClient {
  const below = accessBelow(access, SHOP_API);
  return createPlatformClient({
    ...tuning,
    title: SHOP_TITLE,
    access: below,
    baseUrl: below.baseUrl,
    headers: (accessToken) => ({ accept: 'application/json', authorization: `Bearer ${accessToken}` }),
  });
}
