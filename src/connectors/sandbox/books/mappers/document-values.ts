import { type PlatformObject } from '../../../platform.js';
import { decimalOf, textOf } from '../../../values/platform-values.js';
import { dayOf } from '../dates.js';
import { instantOf } from '../../../values/times.js';
import { amountOf } from './amount.js';
import { type Codes } from './codes.js';
import { partnerOf } from './guid.js';
import { documentStatus } from './words.js';

/** Values of all documents with lines: orders, invoices, bills, credit notes, expenses. */
export function documentValues(object: PlatformObject, codes: Codes) {
  return {
    contactId: partnerOf(object),
    currencyId: codes.currency(object['Currency']),
    currencyCode: textOf(object['Currency']),
    documentNumber: textOf(object['Number']),
    postedDate: dayOf(object['Date']),
    taxAmount: amountOf(object['TaxTotal']),
    totalAmount: amountOf(object['GrandTotal']),
    updatedAt: instantOf(object['ChangedOn']),
  };
}

/** Values of all documents but credit notes, which have no rate and fewer totals. */
export function totalsOf(object: PlatformObject) {
  return {
    // The same direction as ours: base units per unit of the document's currency (Reference 2.3).
    currencyRate: decimalOf(object['ExchangeRate']),
    subTotal: amountOf(object['LinesTotal']),
    totalDiscount: amountOf(object['DiscountTotal']),
  };
}

/** Values of invoices and bills. */
export function invoiceValues(object: PlatformObject, codes: Codes) {
  return {
    ...documentValues(object, codes),
    ...totalsOf(object),
    dueDate: dayOf(object['DueDate']),
    memo: textOf(object['Text']),
    status: documentStatus(object['State']),
    amountDue: amountOf(object['Outstanding']),
  };
}

/** Values of orders. */
export function orderValues(object: PlatformObject, codes: Codes) {
  return {
    ...documentValues(object, codes),
    ...totalsOf(object),
    description: textOf(object['Text']),
    deliveryDate: dayOf(object['DeliveryDate']),
    status: documentStatus(object['State']),
  };
}

/** Values of credit notes. */
export function creditNoteValues(object: PlatformObject, codes: Codes) {
  return {
    ...documentValues(object, codes),
    memo: textOf(object['Text']),
    remainingCredit: amountOf(object['Remaining']),
    status: documentStatus(object['State']),
  };
}
