import { type invoice } from '../../../records/index.js';
import { type Lookups, type PlatformObject, type UnifiedRecord } from '../../connector.js';
import { inverseRate, isPositive } from '../../decimals.js';
import { decimalOf, objectOf, textOf } from '../../values.js';
import { calendarDayOf, timestampOf } from '../dates.js';
import { toLines } from './line-item.js';
import { platformIdOf } from './platform-id.js';
import { documentStatus } from './status.js';

/** A sales invoice. What Xero lists beside them as ACCPAY are bills. */
export function toInvoice(object: PlatformObject, lookups: Lookups): UnifiedRecord<typeof invoice> | null {
  if (object['Type'] !== 'ACCREC') return null;
  const platformId = platformIdOf(object, 'InvoiceID');
  const status = textOf(object['Status']);
  const currencyCode = textOf(object['CurrencyCode']);
  const { lines, unresolved } = toLines(object, { type: 'INVOICES', platformId }, lookups);
  return {
    platformId,
    deleted: status === 'DELETED',
    unresolved,
    values: {
      contactId: textOf(objectOf(object['Contact'])?.['ContactID']),
      currencyId: currencyCode,
      currencyCode,
      // Xero: the document's units for one of the base currency. Ours is the other way round (design 3.11).
      currencyRate: inverseRate(decimalOf(object['CurrencyRate'])),
      documentNumber: textOf(object['InvoiceNumber']),
      postedDate: calendarDayOf(object['DateString'], object['Date']),
      dueDate: calendarDayOf(object['DueDateString'], object['DueDate']),
      memo: textOf(object['Reference']),
      status: documentStatus(status, isPartlyPaid(object)),
      subTotal: decimalOf(object['SubTotal']),
      taxAmount: decimalOf(object['TotalTax']),
      totalDiscount: decimalOf(object['TotalDiscount']),
      totalAmount: decimalOf(object['Total']),
      amountDue: decimalOf(object['AmountDue']),
      salesOrderIds: [],
      updatedAt: timestampOf(object['UpdatedDateUTC']),
    },
    lines: { lineItems: lines },
  };
}

function isPartlyPaid(object: PlatformObject): boolean {
  const settled = [object['AmountPaid'], object['AmountCredited']].some((paid) =>
    isPositive(decimalOf(paid)),
  );
  return settled && isPositive(decimalOf(object['AmountDue']));
}
