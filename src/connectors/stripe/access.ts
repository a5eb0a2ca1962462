import { AppError, invalid } from '../../errors.js';
import { type FormAccess, type PlatformAccount } from '../access.js';
import { plainAccess } from '../platform-access.js';
import { type PlatformObject } from '../platform.js';
import { objectOf, textOf } from '../values/platform-values.js';
import { requiredText } from '../values/required-values.js';
import { createStripeClient, STRIPE_TITLE } from './client.js';

/** Somebody waits in a browser. */
const PATIENCE_MS = 5000;
const LIMITS = { timeoutMs: 15_000, maxBytes: 1024 * 1024 } as const;

/** A secret or restricted key of one account. Publishable keys, and those of organisations, open none. */
const KEY = /^[rs]k_(live|test)_\w+$/;

/** A key, which opens its own account. */
export const stripeAccess: FormAccess = {
  kind: 'form',
  fields: [
    {
      name: 'api_key',
      type: 'secret',
      label: 'API key',
      help: 'A restricted key (rk_...), created in the Dashboard under Developers, API keys, with the permission to read all resources. It is stored encrypted.',
    },
  ],
  open: async ({ baseUrl, dispatcher, secrets }) => {
    const accessToken = secrets['api_key']?.trim() ?? '';
    const mode = KEY.exec(accessToken)?.[1];
    if (mode === undefined) {
      throw invalid('api_key', 'must be a restricted or secret key of an account: rk_... or sk_...');
    }
    const reach = plainAccess({
      baseUrl: baseUrl ?? undefined,
      accessToken,
      externalAccountId: '',
      patienceMs: PATIENCE_MS,
    });
    const client = createStripeClient({ ...reach, dispatcher }, LIMITS);
    const account = await client.get('/v1/account').catch(refuse('the account'));
    // Without them, the first sync would read everything, and each later one would fail.
    await client.get('/v1/events', { query: { limit: '1' } }).catch(refuse('events'));
    const accounts = [accountOf(account, mode === 'test')];
    return { accounts, tokens: { accessToken, refreshToken: null, expiresAt: null }, settings: {} };
  },
};

/** Says what is wrong with the key, if that is why it was refused. */
const refuse =
  (what: string) =>
  (error: unknown): never => {
    if (!(error instanceof AppError)) throw error;
    if (error.code === 'connection-expired')
      throw invalid('api_key', `must be a key that ${STRIPE_TITLE} accepts`);
    if (error.code !== 'platform-refused') throw error;
    throw invalid('api_key', `must be allowed to read ${what}: ${error.message}`);
  };

/** Data of both modes is apart, and the account's id the same. */
function accountOf(account: PlatformObject, isTest: boolean): PlatformAccount {
  const id = requiredText(STRIPE_TITLE, account, 'id');
  const name =
    textOf(objectOf(account['business_profile'])?.['name']) ??
    textOf(objectOf(objectOf(account['settings'])?.['dashboard'])?.['display_name']) ??
    textOf(account['email']) ??
    id;
  return {
    externalAccountId: isTest ? `${id} test` : id,
    name: isTest ? `${name} (test mode)` : name,
    baseCurrency: textOf(account['default_currency'])?.toUpperCase() ?? null,
  };
}
