import { Decimal } from 'decimal.js';

import { type UnifiedLine, type UnifiedRecord } from '../../src/connectors/pull.js';

type Values = Readonly<Record<string, unknown>>;

const DOCUMENTS: readonly string[] = [
  'INVOICES',
  'BILLS',
  'INVOICE_CREDIT_NOTES',
  'BILL_CREDIT_NOTES',
  'PURCHASE_ORDERS',
  'SALES_ORDERS',
  'EXPENSES',
  'ECOMMERCE_ORDERS',
  'PAYMENT_INVOICES',
];

/** What does not add up in a record of any platform, in words; what a platform does not say is left alone. */
export function imbalancesOf(dataModel: string, record: UnifiedRecord): string[] {
  const values: Values = record.values;
  const found: string[] = [];
  const complain = (what: string) => found.push(`${dataModel} ${record.platformId}: ${what}`);
  if (dataModel === 'JOURNAL_ENTRIES') {
    const lines = linesOf(record, 'journalLines');
    const side = (type: string) =>
      total(
        lines.filter((line) => line['type'] === type),
        withTax(lines),
      );
    const [debits, credits] = [side('DEBIT'), side('CREDIT')];
    if (debits && credits && !debits.equals(credits))
      complain(`debits ${debits.toFixed()} are not credits ${credits.toFixed()}`);
    const amount = numberOf(values['amount']);
    if (amount && debits && !amount.equals(debits))
      complain(`amount ${amount.toFixed()} is not debits ${debits.toFixed()}`);
  }
  if (DOCUMENTS.includes(dataModel)) {
    const whole = numberOf(values['totalAmount']);
    const lines = linesOf(record, 'lineItems');
    const parts = lines.length > 0 ? total(lines, ['totalAmount']) : null;
    if (whole && parts && !isClose(whole, parts, lines.length)) {
      complain(`lines of ${parts.toFixed()} are not its total ${whole.toFixed()}`);
    }
  }
  if (dataModel === 'ECOMMERCE_ORDERS') {
    for (const line of [values, ...linesOf(record, 'lineItems')]) {
      const [net, discount, tax, all] = PARTS_OF_ORDERS.map((name) => numberOf(line[name]));
      if (net && discount && tax && all && !net.minus(discount).plus(tax).equals(all)) {
        complain(`${net.toFixed()} - ${discount.toFixed()} + ${tax.toFixed()} is not ${all.toFixed()}`);
      }
    }
  }
  const [whole, due] = [numberOf(values['totalAmount']), numberOf(values['amountDue'])];
  if (whole && due?.greaterThan(whole)) complain(`due ${due.toFixed()} is more than ${whole.toFixed()}`);
  const left = numberOf(values['remainingCredit']);
  if (whole && left?.greaterThan(whole)) complain(`credit ${left.toFixed()} is more than ${whole.toFixed()}`);
  return found;
}

const PARTS_OF_ORDERS = ['subTotal', 'totalDiscount', 'taxAmount', 'totalAmount'];

/** Platforms book the tax of a line to an account of its own, or have a line for that: what balances is the one or the other. */
function withTax(lines: readonly Values[]): readonly string[] {
  const nets = (type: string) =>
    total(
      lines.filter((line) => line['type'] === type),
      ['netAmount'],
    );
  const [debits, credits] = [nets('DEBIT'), nets('CREDIT')];
  return debits && credits && debits.equals(credits) ? ['netAmount'] : ['netAmount', 'taxAmount'];
}

/** Cents may be lost in rounding, half a one a line. */
const isClose = (one: Decimal, other: Decimal, lines: number): boolean =>
  one.minus(other).abs().lessThanOrEqualTo(new Decimal('0.005').times(lines));

const linesOf = (record: UnifiedRecord, name: string): readonly Values[] =>
  (record.lines?.[name] ?? []).map((line: UnifiedLine) => line.values as Values);

/** Null where a part is unknown. */
function total(lines: readonly Values[], names: readonly string[]): Decimal | null {
  const parts = lines.flatMap((line) => names.map((name) => numberOf(line[name])));
  return parts.reduce<Decimal | null>((sum, part) => (sum && part ? sum.plus(part) : null), new Decimal(0));
}

const numberOf = (value: unknown): Decimal | null => (typeof value === 'string' ? new Decimal(value) : null);
