import { sandboxHooks } from '../hooks.js';
import { bankTransactions, documents, journalEntries } from './resources/ledger.js';
import {
  accounts,
  bankAccounts,
  companyInfos,
  contacts,
  currencies,
  items,
  projects,
  taxRates,
  trackingCategories,
} from './resources/settings.js';
import {
  billCreditNotes,
  billPayments,
  bills,
  expenses,
  goodsReceiptNotes,
  invoiceCreditNotes,
  invoicePayments,
  invoices,
  purchaseOrders,
  salesOrders,
} from './resources/trade.js';

export const booksHooks = sandboxHooks({
  Currencies: currencies,
  TaxCodes: taxRates,
  LedgerAccounts: [accounts, bankAccounts],
  Dimensions: trackingCategories,
  Products: items,
  Partners: contacts,
  SalesOrders: salesOrders,
  SalesInvoices: invoices,
  SalesCreditNotes: invoiceCreditNotes,
  CustomerReceipts: invoicePayments,
  PurchaseOrders: purchaseOrders,
  PurchaseBills: bills,
  SupplierCredits: billCreditNotes,
  SupplierPayments: billPayments,
  Expenses: expenses,
  BankMovements: bankTransactions,
  Journals: journalEntries,
  Attachments: documents,
  CompanyDetails: companyInfos,
  Projects: projects,
  GoodsReceipts: goodsReceiptNotes,
});
