import { Decimal } from 'decimal.js';

import type { Path, WriteWarning } from '../../../errors.js';
import { fromWirePath } from '../../../names.js';
import { inverseRate } from '../../decimals.js';
import { arrayOf, objectOf, textOf } from '../../platform-values.js';
import { toXeroRate } from './values.js';

type Item = Readonly<Record<string, unknown>>;

/** Decimals of a tax rate. */
const TAX_DIGITS = 4;

/** Warnings about values that Xero rounds; it keeps `priceDigits` decimals of unit prices. */
export const roundings =
  (priceDigits: number) =>
  (item: Item): readonly WriteWarning[] => {
    const price = (value: unknown, ...path: Path) => rounded(textOf(value), priceDigits, path);
    const lines = arrayOf(item['line_items']) ?? [];
    return [
      ...roundedRate(textOf(item['currency_rate'])),
      ...lines.flatMap((line, index) =>
        price(objectOf(line)?.['unit_amount'], 'line_items', index, 'unit_amount'),
      ),
      ...['bill_item', 'invoice_item'].flatMap((side) =>
        price(objectOf(item[side])?.['unit_price'], side, 'unit_price'),
      ),
      ...rounded(textOf(item['total_tax_rate']), TAX_DIGITS, ['total_tax_rate']),
      ...(arrayOf(item['components']) ?? []).flatMap((component, index) =>
        rounded(textOf(objectOf(component)?.['rate']), TAX_DIGITS, ['components', index, 'rate']),
      ),
    ];
  };

/** A smaller relative error of the rate shows as the rounding of a cent at most. */
const CLOSE = new Decimal('0.00001');

/** The inverse has few significant digits if the currency is worth many base units. */
function roundedRate(ours: string | null): WriteWarning[] {
  const kept = toXeroRate(ours ?? undefined)?.value ?? null;
  const read = inverseRate(kept);
  if (ours === null || kept === null || read === null) return [];
  if (new Decimal(read).dividedBy(ours).minus(1).abs().lessThanOrEqualTo(CLOSE)) return [];
  const words = `is stored as ${read}: Xero stores the inverse rate with six decimals, ${kept}`;
  return [{ words, path: fromWirePath(['currency_rate']) }];
}

function rounded(given: string | null, digits: number, path: Path): WriteWarning[] {
  if (given === null || new Decimal(given).decimalPlaces() <= digits) return [];
  const kept = new Decimal(given).toDecimalPlaces(digits, Decimal.ROUND_HALF_UP).toFixed();
  const words = `is stored as ${kept}: Xero stores ${digits} decimals`;
  return [{ words, path: fromWirePath(path) }];
}
