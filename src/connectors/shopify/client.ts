import { createPlatformClient, type PlatformClientOptions } from '../client/platform-client.js';
import { type PlatformAccess } from '../platform-access.js';
import { type PlatformClient } from '../platform.js';
import { classifyShopify, pointsLeft } from './answers.js';
import { shopRoot } from './shop.js';

export const SHOPIFY_TITLE = 'Shopify';

/** Objects have the form of this version. */
const VERSION = '2026-10';

/** A client for one shop; paths are below its Admin API. `tuning` is for tests that cannot wait. */
export function createShopifyClient(
  access: PlatformAccess,
  tuning: Pick<PlatformClientOptions, 'timeoutMs' | 'sleep'> = {},
): PlatformClient {
  return createPlatformClient({
    ...tuning,
    title: SHOPIFY_TITLE,
    access: { ...access, baseUrl: null },
    baseUrl: `${shopRoot(access, access.externalAccountId)}/admin/api/${VERSION}`,
    classify: classifyShopify,
    remaining: (_headers, body) => ({ minute: null, day: null, points: pointsLeft(body()) }),
    headers: (accessToken) => ({ accept: 'application/json', 'x-shopify-access-token': accessToken }),
  });
}
