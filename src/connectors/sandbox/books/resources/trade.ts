import {
  bill,
  billCreditNote,
  billPayment,
  expense,
  goodsReceiptNote,
  invoice,
  invoiceCreditNote,
  invoicePayment,
  purchaseOrder,
  salesOrder,
} from '../../../../records/index.js';
import { type PullResource } from '../../../connector.js';
import { ACCOUNTS_BY_NUMBER, CURRENCIES_BY_CODE, PRODUCTS_BY_SKU, TAXES_BY_CODE } from '../mappers/codes.js';
import { toBillCreditNote, toInvoiceCreditNote } from '../mappers/credit-note.js';
import { toExpense } from '../mappers/expense.js';
import { toGoodsReceiptNote } from '../mappers/goods-receipt-note.js';
import { toBill, toInvoice } from '../mappers/invoice.js';
import { toPurchaseOrder, toSalesOrder } from '../mappers/order.js';
import { toBillPayment, toInvoicePayment } from '../mappers/payment.js';
import { kindPages, readKind, sweepOf } from '../pages.js';
import { customFields } from './custom-fields.js';

const DOCUMENT_LOOKUPS = [CURRENCIES_BY_CODE, ACCOUNTS_BY_NUMBER, PRODUCTS_BY_SKU, TAXES_BY_CODE];
const PAYMENT_LOOKUPS = [CURRENCIES_BY_CODE, ACCOUNTS_BY_NUMBER];

export const invoices: PullResource<typeof invoice> = {
  definition: invoice,
  customFields,
  mapperVersion: 2,
  incremental: true,
  lookups: DOCUMENT_LOOKUPS,
  deletions: sweepOf('SalesInvoices'),
  pages: (client, options) => kindPages('SalesInvoices', client, options),
  read: readKind('SalesInvoices'),
  toUnified: toInvoice,
};

export const bills: PullResource<typeof bill> = {
  definition: bill,
  customFields,
  mapperVersion: 2,
  incremental: true,
  lookups: DOCUMENT_LOOKUPS,
  deletions: sweepOf('PurchaseBills'),
  pages: (client, options) => kindPages('PurchaseBills', client, options),
  read: readKind('PurchaseBills'),
  toUnified: toBill,
};

export const invoiceCreditNotes: PullResource<typeof invoiceCreditNote> = {
  definition: invoiceCreditNote,
  customFields,
  mapperVersion: 2,
  incremental: true,
  lookups: DOCUMENT_LOOKUPS,
  deletions: sweepOf('SalesCreditNotes'),
  pages: (client, options) => kindPages('SalesCreditNotes', client, options),
  read: readKind('SalesCreditNotes'),
  toUnified: toInvoiceCreditNote,
};

export const billCreditNotes: PullResource<typeof billCreditNote> = {
  definition: billCreditNote,
  customFields,
  mapperVersion: 2,
  incremental: true,
  lookups: DOCUMENT_LOOKUPS,
  deletions: sweepOf('SupplierCredits'),
  pages: (client, options) => kindPages('SupplierCredits', client, options),
  read: readKind('SupplierCredits'),
  toUnified: toBillCreditNote,
};

export const salesOrders: PullResource<typeof salesOrder> = {
  definition: salesOrder,
  customFields,
  mapperVersion: 2,
  incremental: true,
  lookups: DOCUMENT_LOOKUPS,
  deletions: sweepOf('SalesOrders'),
  pages: (client, options) => kindPages('SalesOrders', client, options),
  read: readKind('SalesOrders'),
  toUnified: toSalesOrder,
};

export const purchaseOrders: PullResource<typeof purchaseOrder> = {
  definition: purchaseOrder,
  customFields,
  mapperVersion: 2,
  incremental: true,
  lookups: DOCUMENT_LOOKUPS,
  deletions: sweepOf('PurchaseOrders'),
  pages: (client, options) => kindPages('PurchaseOrders', client, options),
  read: readKind('PurchaseOrders'),
  toUnified: toPurchaseOrder,
};

/** Payments are voided, never deleted. */
export const invoicePayments: PullResource<typeof invoicePayment> = {
  definition: invoicePayment,
  mapperVersion: 1,
  incremental: true,
  lookups: PAYMENT_LOOKUPS,
  pages: (client, options) => kindPages('CustomerReceipts', client, options),
  read: readKind('CustomerReceipts'),
  toUnified: toInvoicePayment,
};

export const billPayments: PullResource<typeof billPayment> = {
  definition: billPayment,
  mapperVersion: 1,
  incremental: true,
  lookups: PAYMENT_LOOKUPS,
  pages: (client, options) => kindPages('SupplierPayments', client, options),
  read: readKind('SupplierPayments'),
  toUnified: toBillPayment,
};

export const expenses: PullResource<typeof expense> = {
  definition: expense,
  customFields,
  mapperVersion: 2,
  incremental: true,
  lookups: DOCUMENT_LOOKUPS,
  deletions: sweepOf('Expenses'),
  pages: (client, options) => kindPages('Expenses', client, options),
  read: readKind('Expenses'),
  toUnified: toExpense,
};

export const goodsReceiptNotes: PullResource<typeof goodsReceiptNote> = {
  definition: goodsReceiptNote,
  customFields,
  mapperVersion: 1,
  incremental: true,
  lookups: DOCUMENT_LOOKUPS,
  pages: (client, options) => kindPages('GoodsReceipts', client, options),
  read: readKind('GoodsReceipts'),
  toUnified: toGoodsReceiptNote,
};
