import { type PlatformAccess } from '../../platform-access.js';
import { type PlatformClient } from '../../platform.js';
import { createPlatformClient, type PlatformClientOptions } from '../../client/platform-client.js';
import { accessBelow } from '../address.js';

export const PAY_TITLE = 'SVC Sandbox Pay';
const PAY_API = '/payments/v1';

/** A client for the account of the token. `tuning` is for tests that cannot wait. */
export function createPayClient(
  access: PlatformAccess,
  tuning: Pick<PlatformClientOptions, 'timeoutMs' | 'sleep'> = {},
): PlatformClient {
  const below = accessBelow(access, PAY_API);
  return createPlatformClient({
    ...tuning,
    title: PAY_TITLE,
    access: below,
    baseUrl: below.baseUrl,
    headers: (accessToken) => ({ accept: 'application/json', authorization: `Bearer ${accessToken}` }),
  });
}
