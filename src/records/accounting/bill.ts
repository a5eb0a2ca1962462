import type { BillModel } from '../../db/__generated__/models.js';
import { defineRecord } from '../define.js';
import { date, decimalNumber, graphqlOnly, text, textList, timestamp, wordOf } from '../fields.js';
import { lines, many, one, referenced } from '../relations.js';
import { VOUCHER_STATUSES } from '../value-sets.js';

/** Reference G4, bills. */
export const bill = defineRecord<BillModel>()({
  model: 'Bill',
  table: 'bills',
  list: 'bills',
  path: 'accounting/bills',
  dataModel: 'BILLS',
  category: 'ACCOUNTING',
  fields: {
    contactId: text('contact_id'),
    currencyId: text('currency_id'),
    currencyCode: graphqlOnly(text('currency_code')),
    currencyRate: decimalNumber('currency_rate'),
    documentNumber: text('document_number'),
    postedDate: date('posted_date'),
    dueDate: date('due_date'),
    memo: text('memo'),
    status: wordOf('status', VOUCHER_STATUSES),
    subTotal: decimalNumber('sub_total'),
    taxAmount: decimalNumber('tax_amount'),
    totalDiscount: decimalNumber('total_discount'),
    totalAmount: decimalNumber('total_amount'),
    amountDue: decimalNumber('amount_due'),
    purchaseOrderIds: textList('purchase_order_ids'),
    updatedAt: timestamp('updated_at'),
  },
  relations: {
    currency: one('currency', 'Currency', 'currencyId'),
    contact: one('contact', 'Contact', 'contactId'),
    lineItems: lines('line_items', 'LineItem'),
    documents: many('documents', 'Document', 'documentTypeId', { documentType: 'BILLS' }),
    billPayments: many('bill_payments', 'BillPayment', 'billId'),
    purchaseOrders: referenced('purchase_orders', 'PurchaseOrder', 'purchaseOrderIds'),
  },
});
