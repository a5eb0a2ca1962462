import { type UnifiedLine, type UnifiedRecord } from '../../../../src/connectors/pull.js';
import { type StripeAccount } from '../account.js';
import { idOf, type Invoice, type InvoiceLine } from '../wire.js';
import { amountOf, currencyOf, dayOf, lineRecord, record, sumOf, textOf } from './values.js';

const STATUSES: Readonly<Record<string, string>> = { draft: 'DRAFT', paid: 'PAID', void: 'VOID' };

function statusOf({ status, amount_paid }: Invoice): string {
  if (status === 'open') return amount_paid > 0 ? 'PARTIALLY_PAID' : 'SUBMITTED';
  return STATUSES[status ?? ''] ?? 'UNKNOWN';
}

export const invoicesOf = (account: StripeAccount): UnifiedRecord[] =>
  account.invoices.values().map((invoice) => {
    const { currency, total_discount_amounts: discounts, total_taxes: taxes } = invoice;
    const amount = (minor: number | null) => amountOf(minor, currency);
    const values = {
      contactId: idOf(invoice.customer),
      ...currencyOf(currency),
      documentNumber: invoice.number,
      postedDate: dayOf(invoice.effective_at ?? invoice.status_transitions.finalized_at ?? invoice.created),
      dueDate: dayOf(invoice.due_date),
      status: statusOf(invoice),
      subTotal: amount(invoice.subtotal),
      totalDiscount: amount(discounts && sumOf(discounts)),
      taxAmount: amount(taxes && sumOf(taxes)),
      totalAmount: amount(invoice.total),
      amountDue: amount(invoice.amount_remaining),
    };
    const lines = account.invoiceLines.get(invoice.id) ?? [];
    return record(invoice.id, values, { lineItems: lines.map((line) => lineOf(invoice, line)) });
  });

function lineOf(invoice: Invoice, line: InvoiceLine): UnifiedLine {
  const { discount_amounts: discounts, taxes, pricing, currency, subtotal } = line;
  const exclusive = (taxes ?? []).filter(({ tax_behavior }) => tax_behavior === 'exclusive');
  const [only, ...more] = taxes ?? [];
  const amount = (minor: number | string | null) => amountOf(minor, currency);
  return lineRecord(line.id, {
    lineItemType: 'PAYMENT_INVOICES',
    lineItemTypeId: invoice.id,
    itemId: pricing?.price_details?.product ?? null,
    taxId: more.length > 0 ? null : (only?.tax_rate_details?.tax_rate ?? null),
    description: line.description,
    quantity: textOf(line.quantity),
    unitAmount: amount(pricing?.unit_amount_decimal ?? null),
    subTotal: amount(subtotal),
    totalDiscount: amount(discounts && sumOf(discounts)),
    taxAmount: amount(taxes && sumOf(taxes)),
    totalAmount: amount(subtotal - sumOf(discounts ?? []) + sumOf(exclusive)),
    updatedAt: null,
  });
}
