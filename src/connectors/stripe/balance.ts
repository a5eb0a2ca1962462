import { type PlatformClient, type PlatformObject } from '../platform.js';
import { type PulledPage } from '../pull.js';
import { decimalOf, textOf } from '../values/platform-values.js';
import { listOf } from '../values/required-values.js';
import { sum } from '../values/decimals.js';
import { STRIPE_TITLE } from './client.js';

/** The account's balance, an object a currency. */
export async function* balancePages(client: PlatformClient): AsyncGenerator<PulledPage> {
  const balance = await client.get('/v1/balance');
  const available = amountsOf(listOf(STRIPE_TITLE, balance, 'available'));
  const pending = amountsOf(listOf(STRIPE_TITLE, balance, 'pending'));
  const currencies = [...new Set([...available.keys(), ...pending.keys()])];
  const objects = currencies.map((currency) => ({
    currency,
    available: available.get(currency) ?? '0',
    pending: pending.get(currency) ?? '0',
  }));
  yield { objects, cursor: null };
}

/** Minor units by currency; one may be listed more than once. */
function amountsOf(parts: readonly PlatformObject[]): ReadonlyMap<string, string | null> {
  const amounts = new Map<string, string | null>();
  for (const part of parts) {
    const currency = textOf(part['currency']) ?? '';
    amounts.set(currency, sum(amounts.get(currency) ?? '0', decimalOf(part['amount'])));
  }
  return amounts;
}
