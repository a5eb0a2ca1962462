import { Decimal } from 'decimal.js';

import { type Account, type Item, type TaxRate } from '../domain.js';
import { guidOf, indexes, kept } from './kept.js';

/** Items from this one on are on no document: they can be deleted. */
export const FIRST_UNUSED_ITEM = 20;

interface ItemSources {
  readonly accounts: readonly Account[];
  readonly taxRates: readonly TaxRate[];
}

export function makeItems({ accounts, taxRates }: ItemSources): Item[] {
  const account = (code: string) => found(accounts.find((one) => one.code === code));
  const taxRate = (type: string) => found(taxRates.find(({ id }) => id === type));
  return indexes(40).map((index) => {
    const isTracked = index % 5 === 0;
    // Some prices are fractions of a cent: screws by the thousand.
    const unitPrice = new Decimal(index % 4 === 3 ? `${index}.1234` : `${index * 10 + 5}.5`);
    const sale = { unitPrice, account: account('200'), taxRate: taxRate('OUTPUT2') };
    const purchase = {
      unitPrice: unitPrice.dividedBy(2).toDecimalPlaces(4),
      account: account(isTracked ? '310' : '453'),
      taxRate: taxRate('INPUT2'),
    };
    return {
      ...kept(guidOf(`item ${index}`), index),
      code: `ITEM-${index}`,
      name: `Item ${index}`,
      description: `Item ${index}, as sold`,
      purchaseDescription: index % 3 === 0 ? null : `Item ${index}, as bought`,
      sale: index % 7 === 6 ? null : sale,
      purchase: isTracked || index % 2 === 0 ? purchase : null,
      inStock: isTracked ? index * 3 : null,
    };
  });
}

function found<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('the organisation lacks what its items need');
  return value;
}
