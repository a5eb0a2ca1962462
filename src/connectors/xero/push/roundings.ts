import { Decimal } from 'decimal.js';

import type { Path, WriteWarning } from '../../../errors.js';
import { fromWirePath } from '../../../base/names.js';
import { roundedWarnings } from '../../inputs/rounded.js';
import { inverseRate } from '../../values/decimals.js';
import { arrayOf, objectOf, textOf } from '../../values/platform-values.js';
import { toXeroRate } from './values.js';

type Item = Readonly<Record<string, unknown>>;

/** Decimals of a tax rate, a quantity and an amount. */
const TAX_DIGITS = 4;
const QUANTITY_DIGITS = 4;
const MONEY_DIGITS = 2;

/** Warnings about values that Xero rounds; it keeps `priceDigits` decimals of unit prices. */
export const roundings =
  (priceDigits: number) =>
  (item: Item): readonly WriteWarning[] => {
    const kept =
      (digits: number) =>
      (value: unknown, ...path: Path) =>
        rounded(textOf(value), digits, path);
    const [price, money, quantity] = [kept(priceDigits), kept(MONEY_DIGITS), kept(QUANTITY_DIGITS)];
    const lines = (name: string) => (arrayOf(item[name]) ?? []).map((line) => objectOf(line) ?? {});
    return [
      ...roundedRate(textOf(item['currency_rate'])),
      ...money(item['amount'], 'amount'),
      ...lines('journal_lines').flatMap((line, index) =>
        money(line['net_amount'], 'journal_lines', index, 'net_amount'),
      ),
      ...lines('line_items').flatMap((line, index) => [
        ...quantity(line['quantity'], 'line_items', index, 'quantity'),
        ...price(line['unit_amount'], 'line_items', index, 'unit_amount'),
        ...money(line['total_discount'], 'line_items', index, 'total_discount'),
      ]),
      ...['bill_item', 'invoice_item'].flatMap((side) =>
        price(objectOf(item[side])?.['unit_price'], side, 'unit_price'),
      ),
      ...rounded(textOf(item['total_tax_rate']), TAX_DIGITS, ['total_tax_rate']),
      ...lines('components').flatMap((component, index) =>
        rounded(textOf(component['rate']), TAX_DIGITS, ['components', index, 'rate']),
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

const rounded = (given: string | null, digits: number, path: Path): WriteWarning[] =>
  roundedWarnings(given, { title: 'Xero', digits }, path);
