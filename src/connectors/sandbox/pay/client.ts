import { type PlatformAccess, type PlatformClient } from '../../connector.js';
import { createPlatformClient, type PlatformClientOptions } from '../../platform-client.js';
import { sandboxRoot } from '../address.js';

export const PAY_TITLE = 'SVC Sandbox Pay';
export const PAY_API = '/payments/v1';

/** A client for the account that the token says. `tuning` is for tests that cannot wait. */
export function createPayClient(
  access: PlatformAccess,
  tuning: Pick<PlatformClientOptions, 'timeoutMs' | 'sleep'> = {},
): PlatformClient {
  const baseUrl = sandboxRoot(access.baseUrl) + PAY_API;
  return createPlatformClient({
    ...tuning,
    title: PAY_TITLE,
    access: { ...access, baseUrl },
    baseUrl,
    headers: (accessToken) => ({ accept: 'application/json', authorization: `Bearer ${accessToken}` }),
  });
}
