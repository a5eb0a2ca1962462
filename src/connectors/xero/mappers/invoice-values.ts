import { type bill, type invoice } from '../../../records/index.js';
import { type ValuesOf } from '../../../records/define.js';
import { type PlatformObject } from '../../platform.js';
import { type Lookups } from '../../pull.js';
import { isPositive } from '../../values/decimals.js';
import { decimalOf, objectOf, textOf } from '../../values/platform-values.js';
import { calendarDayOf, timestampOf } from '../dates.js';
import { currencyRateOf } from './currency-rate.js';
import { type DocumentLines } from './line-item.js';
import { documentStatus } from './status.js';

/** Values that invoices and bills have in common: in Xero they are two types of one object. */
export function invoiceValues(
  object: PlatformObject,
  { totalDiscount }: Pick<DocumentLines, 'totalDiscount'>,
  lookups: Lookups,
): ValuesOf<typeof invoice> & ValuesOf<typeof bill> {
  const currencyCode = textOf(object['CurrencyCode']);
  return {
    contactId: textOf(objectOf(object['Contact'])?.['ContactID']),
    currencyId: currencyCode,
    currencyCode,
    currencyRate: currencyRateOf(object, lookups),
    documentNumber: textOf(object['InvoiceNumber']),
    postedDate: calendarDayOf(object['DateString'], object['Date']),
    dueDate: calendarDayOf(object['DueDateString'], object['DueDate']),
    memo: textOf(object['Reference']),
    status: documentStatus(textOf(object['Status']), isPartlyPaid(object)),
    subTotal: decimalOf(object['SubTotal']),
    taxAmount: decimalOf(object['TotalTax']),
    totalDiscount,
    totalAmount: decimalOf(object['Total']),
    amountDue: decimalOf(object['AmountDue']),
    updatedAt: timestampOf(object['UpdatedDateUTC']),
  };
}

function isPartlyPaid(object: PlatformObject): boolean {
  const settled = [object['AmountPaid'], object['AmountCredited']].some((paid) =>
    isPositive(decimalOf(paid)),
  );
  return settled && isPositive(decimalOf(object['AmountDue']));
}
