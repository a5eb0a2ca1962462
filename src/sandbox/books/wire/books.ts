import type { UnifiedRecord } from '../../../connectors/pull.js';
import type { billPayment, invoicePayment } from '../../../records/index.js';
import type { InitialObject } from '../../store/objects.js';
import { settlementsIn } from '../../world/accounting/settlements.js';
import type { DemoRecords } from '../../world/demo-records.js';
import type { BooksKind } from '../kinds.js';
import type { BooksObject } from '../objects.js';
import { toStored } from '../stored.js';
import {
  type Applications,
  toExpense,
  toGoodsReceipt,
  toPurchaseBill,
  toPurchaseOrder,
  toSalesCreditNote,
  toSalesInvoice,
  toSalesOrder,
  toSupplierCredit,
} from './documents.js';
import { toPartner, toProduct } from './masters.js';
import {
  toAttachment,
  toBankMovement,
  toCustomerReceipt,
  toJournal,
  toSupplierPayment,
} from './movements.js';
import { type BooksNames, createNames } from './names.js';
import {
  banksOf,
  toCompanyDetails,
  toCurrency,
  toDimensions,
  toLedgerAccount,
  toProject,
  toTaxCode,
} from './settings.js';

type Translate = (record: UnifiedRecord, names: BooksNames) => BooksObject;

/** The objects of an account's books, each kind in the order of its records. */
export function booksObjects(accountId: string, books: DemoRecords): InitialObject[] {
  const names = createNames(accountId, books);
  const objects: InitialObject[] = [];
  const add = (kind: BooksKind, dataModel: string, translate: Translate) => {
    for (const record of books.get(dataModel) ?? []) {
      objects.push(stored(kind, translate(record, names), record.deleted ?? false));
    }
  };
  const applied = (records: readonly UnifiedRecord[] | undefined) => applicationsOf(records ?? []);
  const receipts = applied(books.get('INVOICE_PAYMENTS'));
  const payments = applied(books.get('BILL_PAYMENTS'));
  const settlements = settlementsIn(books);
  add('Currencies', 'CURRENCIES', toCurrency);
  add('TaxCodes', 'TAX_RATES', toTaxCode);
  for (const dimension of toDimensions(books.get('TRACKING_CATEGORIES') ?? [], names)) {
    objects.push(stored('Dimensions', dimension, false));
  }
  const banks = banksOf(books.get('BANK_ACCOUNTS') ?? []);
  add('LedgerAccounts', 'ACCOUNTS', (record) => toLedgerAccount(record, names, banks));
  add('Products', 'ITEMS', toProduct);
  add('Partners', 'CONTACTS', toPartner);
  add('SalesOrders', 'SALES_ORDERS', toSalesOrder);
  add('SalesInvoices', 'INVOICES', (record) => toSalesInvoice(record, names, settlements));
  add('SalesCreditNotes', 'INVOICE_CREDIT_NOTES', (record) =>
    toSalesCreditNote(record, names, { applications: receipts, settlements }),
  );
  add('CustomerReceipts', 'INVOICE_PAYMENTS', toCustomerReceipt);
  add('PurchaseOrders', 'PURCHASE_ORDERS', toPurchaseOrder);
  add('PurchaseBills', 'BILLS', (record) => toPurchaseBill(record, names, settlements));
  add('SupplierCredits', 'BILL_CREDIT_NOTES', (record) =>
    toSupplierCredit(record, names, { applications: payments, settlements }),
  );
  add('SupplierPayments', 'BILL_PAYMENTS', toSupplierPayment);
  add('BankMovements', 'BANK_TRANSACTIONS', toBankMovement);
  add('Journals', 'JOURNAL_ENTRIES', toJournal);
  add('Attachments', 'DOCUMENTS', toAttachment);
  add('Expenses', 'EXPENSES', toExpense);
  add('CompanyDetails', 'COMPANY_INFO', toCompanyDetails);
  add('Projects', 'PROJECTS', toProject);
  add('GoodsReceipts', 'GOODS_RECEIPT_NOTES', toGoodsReceipt);
  return objects;
}

function stored(kind: BooksKind, object: BooksObject, deleted: boolean): InitialObject {
  return {
    ...toStored(kind, object),
    createdAt: object.CreatedOn,
    modifiedAt: object.ChangedOn,
    deletedAt: deleted ? object.ChangedOn : null,
  };
}

function applicationsOf(payments: readonly UnifiedRecord[]): Applications {
  const applications = new Map<string, { document: string; amount: string }[]>();
  for (const payment of payments) {
    const { values } = payment as UnifiedRecord<typeof invoicePayment & typeof billPayment>;
    const document = values.invoiceId ?? values.billId;
    if (document == null || values.creditNoteId == null) continue;
    const known = applications.get(values.creditNoteId) ?? [];
    known.push({ document, amount: values.amount ?? '0' });
    applications.set(values.creditNoteId, known);
  }
  return applications;
}
