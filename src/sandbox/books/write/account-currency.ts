import type { Decimal } from 'decimal.js';
import { type Money, moneyOf } from '../values.js';
import { BASE_CURRENCY } from './control.js';
import type { References } from './references.js';

interface LineAmount {
  readonly amount: Decimal;
  readonly currency: string;
  readonly inBase: Decimal;
}

/** The amount of an entry's line in the currency of its account; null if that is the base currency. */
export async function inAccountCurrency(
  references: References,
  number: string,
  { amount, currency, inBase }: LineAmount,
): Promise<Money | null> {
  const account = await references.byNumber('LedgerAccounts', number);
  const own = account?.['Currency'];
  if (typeof own !== 'string' || own === BASE_CURRENCY) return null;
  if (own === currency) return moneyOf(amount, own);
  const rate = (await references.byNumber('Currencies', own))?.['ExchangeRate'];
  return moneyOf(inBase.div(typeof rate === 'string' ? rate : 1).toDecimalPlaces(2), own);
}
