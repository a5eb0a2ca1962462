import type { GoodsReceiptNoteModel } from '../../db/__generated__/models.js';
import { defineRecord } from '../define.js';
import { date, decimalNumber, graphqlOnly, text, textList, timestamp } from '../fields.js';
import { lines, one, referenced } from '../relations.js';

/** Reference G4, goods receipt notes. */
export const goodsReceiptNote = defineRecord<GoodsReceiptNoteModel>()({
  model: 'GoodsReceiptNote',
  table: 'goods_receipt_notes',
  list: 'goodsReceiptNotes',
  path: 'accounting/goods_receipt_notes',
  dataModel: 'GOODS_RECEIPT_NOTES',
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
    status: text('status'),
    subTotal: decimalNumber('sub_total'),
    taxAmount: decimalNumber('tax_amount'),
    totalDiscount: decimalNumber('total_discount'),
    totalAmount: decimalNumber('total_amount'),
    paymentMode: text('payment_mode'),
    purchaseOrderIds: textList('purchase_order_ids'),
    updatedAt: timestamp('updated_at'),
  },
  relations: {
    currency: one('currency', 'Currency', 'currencyId'),
    lineItems: lines('line_items', 'LineItem'),
    contact: one('contact', 'Contact', 'contactId'),
    purchaseOrders: referenced('purchase_orders', 'PurchaseOrder', 'purchaseOrderIds'),
  },
  rest: { all: ['currency', 'lineItems'] },
});
