import type { PurchaseOrderModel } from '../../db/__generated__/models.js';
import { defineRecord } from '../define.js';
import { allOnly, date, decimalNumber, graphqlOnly, text, textList, timestamp, wordOf } from '../fields.js';
import { lines, many, one, referenced } from '../relations.js';
import { VOUCHER_STATUSES } from '../value-sets.js';

/** Reference 2.3, Purchase order. */
export const purchaseOrder = defineRecord<PurchaseOrderModel>()({
  model: 'PurchaseOrder',
  table: 'purchase_orders',
  list: 'purchaseOrders',
  path: 'accounting/purchase_orders',
  dataModel: 'PURCHASE_ORDERS',
  category: 'ACCOUNTING',
  fields: {
    contactId: text('contact_id'),
    currencyId: text('currency_id'),
    currencyCode: graphqlOnly(text('currency_code')),
    currencyRate: decimalNumber('currency_rate'),
    description: text('description'),
    documentNumber: text('document_number'),
    postedDate: date('posted_date'),
    deliveryDate: date('delivery_date'),
    status: wordOf('status', VOUCHER_STATUSES),
    subTotal: decimalNumber('sub_total'),
    taxAmount: decimalNumber('tax_amount'),
    totalDiscount: decimalNumber('total_discount'),
    totalAmount: decimalNumber('total_amount'),
    paymentMode: allOnly(text('payment_mode')),
    billIds: textList('bill_ids'),
    updatedAt: timestamp('updated_at'),
  },
  relations: {
    addresses: lines('addresses', 'Address'),
    currency: one('currency', 'Currency', 'currencyId'),
    lineItems: lines('line_items', 'LineItem'),
    contact: one('contact', 'Contact', 'contactId'),
    documents: many('documents', 'Document', 'documentTypeId', { documentType: 'PURCHASE_ORDERS' }),
    bills: referenced('bills', 'Bill', 'billIds'),
  },
  rest: { all: ['addresses', 'currency', 'lineItems'] },
});
