import { type paymentInvoice } from '../../../../records/index.js';
import { type PlatformObject } from '../../../platform.js';
import { type UnifiedRecord } from '../../../pull.js';
import { currencyCodeOf, textOf } from '../../../values/platform-values.js';
import { dayOfSeconds } from '../../../values/times.js';
import { idOf } from './id.js';
import { toLines } from './line-item.js';
import { amountOf } from './minor-units.js';

/** Reference G1, status of invoices. */
const STATUSES: ReadonlyMap<unknown, string> = new Map([
  ['draft', 'DRAFT'],
  ['open', 'SUBMITTED'],
  ['part_paid', 'PARTIALLY_PAID'],
  ['paid', 'PAID'],
  ['overdue', 'OVERDUE'],
  ['void', 'VOID'],
]);

/** An invoice to a customer. */
export function toInvoice(object: PlatformObject): UnifiedRecord<typeof paymentInvoice> {
  const platformId = idOf(object);
  const currency = currencyCodeOf(object['currency']);
  const amount = (name: string) => amountOf(object[name], currency);
  return {
    platformId,
    values: {
      contactId: textOf(object['customer']),
      currencyId: currency,
      currencyCode: currency,
      documentNumber: textOf(object['number']),
      postedDate: dayOfSeconds(object['issued']),
      dueDate: dayOfSeconds(object['due']),
      status: STATUSES.get(object['status']) ?? 'UNKNOWN',
      subTotal: amount('amount_subtotal'),
      totalDiscount: amount('amount_discount'),
      taxAmount: amount('amount_tax'),
      totalAmount: amount('amount_total'),
      amountDue: amount('amount_remaining'),
    },
    lines: { lineItems: toLines(object['lines'], { type: 'PAYMENT_INVOICES', platformId, currency }) },
  };
}
