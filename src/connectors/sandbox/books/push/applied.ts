import { Decimal } from 'decimal.js';
import { type z } from 'zod';

import { type PlatformObject } from '../../../connector.js';
import { type WriteTools } from '../../../push.js';
import { type booksLines } from './lines.js';

type Lines = z.output<typeof booksLines>;

/** Applies a credit note to the documents in turn, each up to its amount due, until the credit is used up. */
export function appliedTo(
  documents: readonly string[] | undefined,
  { dataModel, name }: { readonly dataModel: string; readonly name: string },
  lines: Lines | undefined,
  tools: WriteTools,
): PlatformObject[] | undefined {
  let left = grossOf(lines ?? [], tools);
  return documents?.flatMap((id) => {
    const due = new Decimal(tools.references.valueOf(dataModel, 'amountDue', id) ?? left);
    const amount = Decimal.min(left, due);
    if (!amount.greaterThan(0)) return [];
    left = left.minus(amount);
    return [{ [name]: id, Amount: amount.toFixed() }];
  });
}

/** The total as Books calculates it: each line rounded, with its tax. */
function grossOf(lines: Lines, { references }: WriteTools): Decimal {
  return lines.reduce((total, line) => {
    const net = new Decimal(line.quantity)
      .times(line.unit_amount)
      .toDecimalPlaces(2)
      .minus(line.total_discount ?? 0);
    const percent =
      line.tax_id === undefined ? null : references.valueOf('TAX_RATES', 'effectiveTaxRate', line.tax_id);
    return total.plus(net).plus(
      net
        .times(percent ?? 0)
        .div(100)
        .toDecimalPlaces(2),
    );
  }, new Decimal(0));
}
