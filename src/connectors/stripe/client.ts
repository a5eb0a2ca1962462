import { invalid } from '../../errors.js';
import { type PlatformAccess } from '../platform-access.js';
import { type PassthroughClient, type PlatformClient } from '../platform.js';
import { createPlatformClient, type PlatformClientOptions } from '../client/platform-client.js';

export const STRIPE_TITLE = 'Stripe';

const API = 'https://api.stripe.com';

/** Objects have the form of this version, whichever one the account has chosen. */
const VERSION = '2026-10-28.endive';

/** Select an account, or a context of an organisation, within the reach of a key. */
const SELECTS_ACCOUNT = ['stripe-account', 'stripe-context'];

/** A client for the account of the key. Paths begin with the version of the API, such as `/v1`. */
export function createStripeClient(
  access: PlatformAccess,
  tuning: Pick<PlatformClientOptions, 'timeoutMs' | 'maxBytes' | 'sleep'> = {},
): PlatformClient {
  return createPlatformClient({
    ...tuning,
    title: STRIPE_TITLE,
    access,
    baseUrl: API,
    headers: (apiKey) => ({
      accept: 'application/json',
      authorization: `Bearer ${apiKey}`,
      'stripe-version': VERSION,
    }),
  });
}

/** Selects no other account by a header: a platform's key opens its users' accounts, too. */
export function createStripePassthrough(access: PlatformAccess): PassthroughClient {
  return {
    send: async (call) => {
      const name = SELECTS_ACCOUNT.find((selects) => selects in call.headers);
      if (name !== undefined) {
        throw invalid(['data', 'headers'], `must not hold ${name}: the account is that of the connection`);
      }
      return createStripeClient(access).send(call);
    },
  };
}
