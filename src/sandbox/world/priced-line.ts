import { Decimal } from 'decimal.js';
import { cents, money, sum } from './money.js';

/** The amounts of a line, the same in all three categories: `totalAmount = subTotal - totalDiscount + taxAmount`. */
interface PricedLine {
  readonly quantity: string;
  readonly unitAmount: string;
  /** Quantity times unit amount, before discount and tax. */
  readonly subTotal: string;
  readonly totalDiscount: string;
  /** On the amount after the discount. */
  readonly taxAmount: string;
  readonly totalAmount: string;
}

interface Price {
  readonly quantity: number;
  readonly unitAmount: string;
  /** In percent. */
  readonly taxRate: Decimal.Value;
  /** In percent. */
  readonly discount?: number;
}

export function priceLine({ quantity, unitAmount, taxRate, discount = 0 }: Price): PricedLine {
  const subTotal = new Decimal(unitAmount).times(quantity);
  const totalDiscount = cents(subTotal.times(discount).div(100));
  const net = subTotal.minus(totalDiscount);
  const taxAmount = cents(net.times(taxRate).div(100));
  return {
    quantity: String(quantity),
    unitAmount: money(new Decimal(unitAmount)),
    subTotal: money(subTotal),
    totalDiscount: money(totalDiscount),
    taxAmount: money(taxAmount),
    totalAmount: money(net.plus(taxAmount)),
  };
}

/** The totals of a document's lines. */
export type Totals = Readonly<Record<'subTotal' | 'totalDiscount' | 'taxAmount' | 'totalAmount', string>>;

export function totalsOf(lines: readonly PricedLine[]): Totals {
  return {
    subTotal: money(sum(lines.map((line) => line.subTotal))),
    totalDiscount: money(sum(lines.map((line) => line.totalDiscount))),
    taxAmount: money(sum(lines.map((line) => line.taxAmount))),
    totalAmount: money(sum(lines.map((line) => line.totalAmount))),
  };
}
