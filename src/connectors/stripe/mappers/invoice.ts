import { type paymentInvoice, type paymentLineItem } from '../../../records/index.js';
import { type VOUCHER_STATUSES } from '../../../records/value-sets.js';
import { type PlatformObject } from '../../platform.js';
import { type UnifiedLine, type UnifiedRecord } from '../../pull.js';
import { difference, isPositive, sum } from '../../values/decimals.js';
import { currencyCodeOf, decimalOf, objectOf, objectsIn, textOf } from '../../values/platform-values.js';
import { dayOfSeconds } from '../../values/times.js';
import { idOf } from './id.js';
import { linesOf } from './lines.js';
import { amountOf, totalOf } from './money.js';

/** Reference G1, status of invoices. An uncollectible one can still be paid, or made void. */
const STATUSES: ReadonlyMap<unknown, (typeof VOUCHER_STATUSES)[number]> = new Map([
  ['draft', 'DRAFT'],
  ['open', 'SUBMITTED'],
  ['paid', 'PAID'],
  ['void', 'VOID'],
]);

/** An invoice to a customer, with all its lines. */
export function toInvoice(object: PlatformObject): UnifiedRecord<typeof paymentInvoice> {
  const platformId = idOf(object);
  const currency = currencyCodeOf(object['currency']);
  const amount = (value: unknown) => amountOf(value, currency);
  const finalized = objectOf(object['status_transitions'])?.['finalized_at'];
  return {
    platformId,
    values: {
      contactId: textOf(object['customer']),
      currencyId: currency,
      currencyCode: currency,
      documentNumber: textOf(object['number']),
      postedDate: dayOfSeconds(object['effective_at'] ?? finalized ?? object['created']),
      dueDate: dayOfSeconds(object['due_date']),
      status: statusOf(object),
      subTotal: amount(object['subtotal']),
      totalDiscount: amount(totalOf(object['total_discount_amounts'])),
      taxAmount: amount(totalOf(object['total_taxes'])),
      totalAmount: amount(object['total']),
      amountDue: amount(object['amount_remaining']),
    },
    lines: { lineItems: linesOf(object, 'lines').map((line) => toLine(line, platformId, currency)) },
  };
}

function statusOf(object: PlatformObject): (typeof VOUCHER_STATUSES)[number] {
  if (object['status'] === 'open' && isPositive(decimalOf(object['amount_paid']))) return 'PARTIALLY_PAID';
  return STATUSES.get(object['status']) ?? 'UNKNOWN';
}

function toLine(
  line: PlatformObject,
  invoiceId: string,
  currency: string | null,
): UnifiedLine<typeof paymentLineItem> {
  const pricing = objectOf(line['pricing']);
  const discount = totalOf(line['discount_amounts']);
  const added = objectsIn(line['taxes']).filter((tax) => tax['tax_behavior'] === 'exclusive');
  const credits = objectsIn(line['pretax_credit_amounts']).filter(
    ({ type }) => type === 'credit_balance_transaction',
  );
  const net = difference(difference(decimalOf(line['subtotal']), discount ?? '0'), totalOf(credits));
  const total = sum(net, totalOf(added));
  const amount = (value: unknown) => amountOf(value, currency);
  return {
    platformId: textOf(line['id']),
    values: {
      lineItemType: 'PAYMENT_INVOICES',
      lineItemTypeId: invoiceId,
      itemId: textOf(objectOf(pricing?.['price_details'])?.['product']),
      taxId: onlyTaxOf(line),
      description: textOf(line['description']),
      quantity: decimalOf(line['quantity_decimal']) ?? decimalOf(line['quantity']),
      unitAmount: amount(pricing?.['unit_amount_decimal']),
      subTotal: amount(line['subtotal']),
      totalDiscount: amount(discount),
      taxAmount: amount(totalOf(line['taxes'])),
      totalAmount: amount(total),
      updatedAt: null,
    },
  };
}

/** A line of ours has one tax. */
function onlyTaxOf(line: PlatformObject): string | null {
  const [tax, ...others] = objectsIn(line['taxes']);
  return others.length > 0 ? null : textOf(objectOf(tax?.['tax_rate_details'])?.['tax_rate']);
}
