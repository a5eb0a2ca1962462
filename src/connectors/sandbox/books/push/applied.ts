import { Decimal } from 'decimal.js';
import { type z } from 'zod';

import { type PlatformObject } from '../../../platform.js';
import { type WriteTools } from '../../../push.js';
import { type booksLines } from './lines.js';

type Lines = z.output<typeof booksLines>;

/**
 * Applies a credit note to the documents in turn, each up to its amount due, until the credit is used up. A credit whose
 * tax is unknown here may have more applied than there is, or an amount missing: Books refuses both.
 */
export function appliedTo(
  documents: readonly string[] | undefined,
  { dataModel, name }: { readonly dataModel: string; readonly name: string },
  lines: Lines | undefined,
  tools: WriteTools,
): PlatformObject[] | undefined {
  let left = grossOf(lines ?? [], tools);
  return documents?.flatMap((id) => {
    const due = tools.references.valueOf(dataModel, 'amountDue', id) ?? left;
    if (due === null) return [{ [name]: id }];
    const amount = left === null ? new Decimal(due) : Decimal.min(left, due);
    if (!amount.greaterThan(0)) return [];
    left = left && left.minus(amount);
    return [{ [name]: id, Amount: amount.toFixed() }];
  });
}

/** The total as Books calculates it: each amount of a line rounded. Null if the rate of a tax is unknown here. */
function grossOf(lines: Lines, { references }: WriteTools): Decimal | null {
  return lines.reduce<Decimal | null>((total, line) => {
    const net = new Decimal(line.quantity)
      .times(line.unit_amount)
      .toDecimalPlaces(2)
      .minus(new Decimal(line.total_discount ?? 0).toDecimalPlaces(2));
    const percent =
      line.tax_id === undefined ? 0 : references.valueOf('TAX_RATES', 'effectiveTaxRate', line.tax_id);
    if (total === null || percent === null) return null;
    return total.plus(net).plus(net.times(percent).div(100).toDecimalPlaces(2));
  }, new Decimal(0));
}
