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
import { type PullResource } from '../../../pull.js';
import { ACCOUNTS_BY_NUMBER, CURRENCIES_BY_CODE, PRODUCTS_BY_SKU, TAXES_BY_CODE } from '../mappers/codes.js';
import { toBillCreditNote, toInvoiceCreditNote } from '../mappers/credit-note.js';
import { toExpense } from '../mappers/expense.js';
import { toGoodsReceiptNote } from '../mappers/goods-receipt-note.js';
import { toBill, toInvoice } from '../mappers/invoice.js';
import { toPurchaseOrder, toSalesOrder } from '../mappers/order.js';
import { toBillPayment, toInvoicePayment } from '../mappers/payment.js';
import { readsOf, sweepOf } from '../pages.js';
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
  ...readsOf('SalesInvoices'),
  toUnified: toInvoice,
};

export const bills: PullResource<typeof bill> = {
  definition: bill,
  customFields,
  mapperVersion: 2,
  incremental: true,
  lookups: DOCUMENT_LOOKUPS,
  deletions: sweepOf('PurchaseBills'),
  ...readsOf('PurchaseBills'),
  toUnified: toBill,
};

export const invoiceCreditNotes: PullResource<typeof invoiceCreditNote> = {
  definition: invoiceCreditNote,
  customFields,
  mapperVersion: 2,
  incremental: true,
  lookups: DOCUMENT_LOOKUPS,
  deletions: sweepOf('SalesCreditNotes'),
  ...readsOf('SalesCreditNotes'),
  toUnified: toInvoiceCreditNote,
};

export const billCreditNotes: PullResource<typeof billCreditNote> = {
  definition: billCreditNote,
  customFields,
  mapperVersion: 2,
  incremental: true,
  lookups: DOCUMENT_LOOKUPS,
  deletions: sweepOf('SupplierCredits'),
  ...readsOf('SupplierCredits'),
  toUnified: toBillCreditNote,
};

export const salesOrders: PullResource<typeof salesOrder> = {
  definition: salesOrder,
  customFields,
  mapperVersion: 2,
  incremental: true,
  lookups: DOCUMENT_LOOKUPS,
  deletions: sweepOf('SalesOrders'),
  ...readsOf('SalesOrders'),
  toUnified: toSalesOrder,
};

export const purchaseOrders: PullResource<typeof purchaseOrder> = {
  definition: purchaseOrder,
  customFields,
  mapperVersion: 2,
  incremental: true,
  lookups: DOCUMENT_LOOKUPS,
  deletions: sweepOf('PurchaseOrders'),
  ...readsOf('PurchaseOrders'),
  toUnified: toPurchaseOrder,
};

/** Payments are voided, never deleted. */
export const invoicePayments: PullResource<typeof invoicePayment> = {
  definition: invoicePayment,
  mapperVersion: 1,
  incremental: true,
  lookups: PAYMENT_LOOKUPS,
  ...readsOf('CustomerReceipts'),
  toUnified: toInvoicePayment,
};

export const billPayments: PullResource<typeof billPayment> = {
  definition: billPayment,
  mapperVersion: 1,
  incremental: true,
  lookups: PAYMENT_LOOKUPS,
  ...readsOf('SupplierPayments'),
  toUnified: toBillPayment,
};

export const expenses: PullResource<typeof expense> = {
  definition: expense,
  customFields,
  mapperVersion: 2,
  incremental: true,
  lookups: DOCUMENT_LOOKUPS,
  deletions: sweepOf('Expenses'),
  ...readsOf('Expenses'),
  toUnified: toExpense,
};

export const goodsReceiptNotes: PullResource<typeof goodsReceiptNote> = {
  definition: goodsReceiptNote,
  customFields,
  mapperVersion: 1,
  incremental: true,
  lookups: DOCUMENT_LOOKUPS,
  ...readsOf('GoodsReceipts'),
  toUnified: toGoodsReceiptNote,
};
