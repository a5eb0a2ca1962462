import { Decimal } from 'decimal.js';

import { type PlatformObject } from '../../platform.js';
import { product, sum } from '../../values/decimals.js';
import { arrayOf, decimalOf, objectOf, textOf } from '../../values/platform-values.js';

const MONEY_DIGITS = 2;

/** An amount as Xero stores it. */
export const inCents = (amount: string): string =>
  new Decimal(amount).toDecimalPlaces(MONEY_DIGITS, Decimal.ROUND_HALF_UP).toFixed();

/** Whether the line amounts of `raw_data` include tax: the amount of a movement does. */
export const lineAmountTypes = (rawData: PlatformObject | undefined): string =>
  textOf(rawData?.['LineAmountTypes']) ?? 'Inclusive';

/** The total of the lines of `raw_data`, with tax; null if only Xero knows it. */
export function totalOfLines(rawData: PlatformObject | undefined): string | null {
  const types = lineAmountTypes(rawData);
  return (arrayOf(rawData?.['LineItems']) ?? [])
    .map((line) => amountOf(objectOf(line) ?? {}, types))
    .reduce(sum, '0');
}

function amountOf(line: PlatformObject, types: string): string | null {
  const quantity = line['Quantity'] === undefined ? '1' : decimalOf(line['Quantity']);
  const amount = decimalOf(line['LineAmount']) ?? product(quantity, decimalOf(line['UnitAmount']));
  if (amount === null) return null;
  switch (types) {
    case 'Inclusive':
    case 'NoTax':
      return inCents(amount);
    case 'Exclusive':
      return sum(inCents(amount), decimalOf(line['TaxAmount']));
    default:
      return null;
  }
}
