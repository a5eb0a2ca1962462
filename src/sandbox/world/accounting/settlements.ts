import { Decimal } from 'decimal.js';
import type { UnifiedLine, UnifiedRecord } from '../../../connectors/pull.js';
import type { billPayment, invoice, invoicePayment, lineItem } from '../../../records/index.js';
import { type PostedLine, shareOf, totalInBase } from '../../postings.js';
import type { DemoRecords } from '../demo-records.js';
import { ZERO } from '../money.js';
import { BASE_CURRENCY, currencyFields } from './currencies.js';

/** The part of a document or credit note that one payment settles. */
interface DemoSettlement {
  /** The payment's id. */
  readonly by: string;
  /** In the document's currency. */
  readonly amount: Decimal;
  readonly inBase: Decimal;
}

/** Settlements in the order of the payments, by the id of the document or credit note. */
export type Settlements = ReadonlyMap<string, readonly DemoSettlement[]>;

/** Lines and rate of a document, for posting. Credit notes have no rate of their own. */
export function postedOf({ lines, values }: UnifiedRecord) {
  const { currencyCode } = values as UnifiedRecord<typeof invoice>['values'];
  const items = (lines?.['lineItems'] ?? []) as UnifiedLine<typeof lineItem>[];
  return {
    lines: items.map(({ values: line }): PostedLine => ({
      account: line.accountCode ?? null,
      net: new Decimal(line.subTotal ?? 0).minus(line.totalDiscount ?? 0),
      tax: line.taxAmount ?? '0',
    })),
    rate: currencyFields(currencyCode ?? BASE_CURRENCY).currencyRate,
  };
}

const SIDES = [
  { papers: ['INVOICES', 'INVOICE_CREDIT_NOTES'], payments: 'INVOICE_PAYMENTS' },
  { papers: ['BILLS', 'BILL_CREDIT_NOTES'], payments: 'BILL_PAYMENTS' },
] as const;

/** Settlements by payments of a company's documents and credit notes. */
export function settlementsIn(books: DemoRecords): Settlements {
  const settlements = new Map<string, DemoSettlement[]>();
  for (const { papers, payments } of SIDES) {
    const records = papers.flatMap((model) => books.get(model) ?? []);
    const byId = new Map(records.map((record) => [record.platformId, record]));
    for (const { platformId, values } of books.get(payments) ?? []) {
      const { invoiceId, billId, creditNoteId, amount } = values as PaymentValues;
      for (const id of [invoiceId ?? billId, creditNoteId]) {
        const paper = byId.get(id ?? '');
        if (!paper) continue;
        const known = settlements.get(paper.platformId) ?? [];
        const paid = new Decimal(amount ?? 0);
        known.push({ by: platformId, amount: paid, inBase: shareOf(leftOf(paper, known), paid) });
        settlements.set(paper.platformId, known);
      }
    }
  }
  return settlements;
}

type PaymentValues = UnifiedRecord<typeof invoicePayment & typeof billPayment>['values'];

function leftOf(paper: UnifiedRecord, settled: readonly DemoSettlement[]) {
  const { totalAmount } = paper.values as UnifiedRecord<typeof invoice>['values'];
  const without = (total: Decimal.Value, part: 'amount' | 'inBase') =>
    settled.reduce((left, one) => left.minus(one[part]), ZERO.plus(total));
  return {
    amount: without(totalAmount ?? 0, 'amount'),
    inBase: without(totalInBase(postedOf(paper)), 'inBase'),
  };
}
