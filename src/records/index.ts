import { account } from './accounting/account.js';
import { address } from './accounting/address.js';
import { bankAccount } from './accounting/bank-account.js';
import { bankTransaction } from './accounting/bank-transaction.js';
import { bill } from './accounting/bill.js';
import { billCreditNote } from './accounting/bill-credit-note.js';
import { billPayment } from './accounting/bill-payment.js';
import { companyInfo } from './accounting/company-info.js';
import { contact } from './accounting/contact.js';
import { currency } from './accounting/currency.js';
import { document } from './accounting/document.js';
import { expense } from './accounting/expense.js';
import { externalLink } from './accounting/external-link.js';
import { goodsReceiptNote } from './accounting/goods-receipt-note.js';
import { invoice } from './accounting/invoice.js';
import { invoiceCreditNote } from './accounting/invoice-credit-note.js';
import { invoicePayment } from './accounting/invoice-payment.js';
import { item } from './accounting/item.js';
import { journalEntry } from './accounting/journal-entry.js';
import { journalLine } from './accounting/journal-line.js';
import { lineItem } from './accounting/line-item.js';
import { phoneNumber } from './accounting/phone-number.js';
import { project } from './accounting/project.js';
import { purchaseOrder } from './accounting/purchase-order.js';
import { salesOrder } from './accounting/sales-order.js';
import { taxRate } from './accounting/tax-rate.js';
import { taxRateComponent } from './accounting/tax-rate-component.js';
import { trackingCategory } from './accounting/tracking-category.js';
import { ecommerceBalance } from './ecommerce/balance.js';
import { ecommerceCompanyInfo } from './ecommerce/company-info.js';
import { ecommerceCustomer } from './ecommerce/customer.js';
import { ecommerceFulfillment } from './ecommerce/fulfillment.js';
import { ecommerceInventory } from './ecommerce/inventory.js';
import { ecommerceLineItem } from './ecommerce/line-item.js';
import { ecommerceOrder } from './ecommerce/order.js';
import { ecommerceProduct } from './ecommerce/product.js';
import { ecommerceTransaction } from './ecommerce/transaction.js';
import { paymentBalance } from './payments/balance.js';
import { paymentCustomer } from './payments/customer.js';
import { paymentDispute } from './payments/dispute.js';
import { paymentInvoice } from './payments/invoice.js';
import { paymentItem } from './payments/item.js';
import { paymentLineItem } from './payments/line-item.js';
import { paymentOrder } from './payments/order.js';
import { payment } from './payments/payment.js';
import { paymentLink } from './payments/payment-link.js';
import { paymentPayout } from './payments/payout.js';
import { paymentRefund } from './payments/refund.js';
import { paymentSubscription } from './payments/subscription.js';
import { paymentTaxRate } from './payments/tax-rate.js';
import { paymentTransaction } from './payments/transaction.js';
import { company } from './company.js';
import { type RecordDefinition } from './define.js';

/** Every record type, in the order of the schema. */
export const records: readonly RecordDefinition[] = [
  account,
  bankAccount,
  bankTransaction,
  bill,
  billCreditNote,
  billPayment,
  companyInfo,
  contact,
  currency,
  document,
  expense,
  goodsReceiptNote,
  invoice,
  invoiceCreditNote,
  invoicePayment,
  item,
  journalEntry,
  project,
  purchaseOrder,
  salesOrder,
  taxRate,
  trackingCategory,
  payment,
  paymentBalance,
  paymentCustomer,
  paymentDispute,
  paymentInvoice,
  paymentItem,
  paymentLink,
  paymentOrder,
  paymentPayout,
  paymentRefund,
  paymentSubscription,
  paymentTaxRate,
  paymentTransaction,
  ecommerceBalance,
  ecommerceCompanyInfo,
  ecommerceCustomer,
  ecommerceFulfillment,
  ecommerceInventory,
  ecommerceOrder,
  ecommerceProduct,
  ecommerceTransaction,
];

/** Every line type. */
export const lineTypes: readonly RecordDefinition[] = [
  address,
  externalLink,
  journalLine,
  lineItem,
  phoneNumber,
  taxRateComponent,
  paymentLineItem,
  ecommerceLineItem,
];

const byModel = new Map(
  [company, ...records, ...lineTypes].map((definition) => [definition.model, definition]),
);

/** The definition of a GraphQL type. Throws for a name that has no definition. */
export function definitionOf(model: string): RecordDefinition {
  const definition = byModel.get(model);
  if (!definition) throw new Error(`${model} is not a record type`);
  return definition;
}

const byDataModel = new Map(records.map((definition) => [definition.dataModel, definition]));

/** The record type of a data model (Reference G6); null if there is none. */
export function recordTypeOf(dataModel: string): RecordDefinition | null {
  return byDataModel.get(dataModel) ?? null;
}

export {
  company,
  account,
  address,
  bankAccount,
  bankTransaction,
  bill,
  billCreditNote,
  billPayment,
  companyInfo,
  contact,
  currency,
  document,
  ecommerceBalance,
  ecommerceCompanyInfo,
  ecommerceCustomer,
  ecommerceFulfillment,
  ecommerceInventory,
  ecommerceLineItem,
  ecommerceOrder,
  ecommerceProduct,
  ecommerceTransaction,
  expense,
  externalLink,
  goodsReceiptNote,
  invoice,
  invoiceCreditNote,
  invoicePayment,
  item,
  journalEntry,
  journalLine,
  lineItem,
  payment,
  paymentBalance,
  paymentCustomer,
  paymentDispute,
  paymentInvoice,
  paymentItem,
  paymentLineItem,
  paymentLink,
  paymentOrder,
  paymentPayout,
  paymentRefund,
  paymentSubscription,
  paymentTaxRate,
  paymentTransaction,
  phoneNumber,
  project,
  purchaseOrder,
  salesOrder,
  taxRate,
  taxRateComponent,
  trackingCategory,
  type RecordDefinition,
};
