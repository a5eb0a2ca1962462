import type { UnifiedRecord } from '../../../connectors/pull.js';
import type { journalEntry } from '../../../records/index.js';
import type { DemoRecords } from '../demo-records.js';
import type { Random } from '../random.js';
import { DEMO_SIZE, type Size } from '../size.js';
import { createBankTransactions } from './bank.js';
import { createBankAccounts } from './bank-accounts.js';
import type { Trade } from './catalogue.js';
import { createAccounts, createOpenings } from './chart.js';
import { createCompanyInfo } from './company-info.js';
import { createContacts } from './contacts.js';
import { createCurrencies } from './currencies.js';
import { createDocuments } from './documents.js';
import { createExpenses } from './expenses.js';
import { createOpening, ledgerBalances, postBooks } from './general-ledger.js';
import { createGoodsReceipts } from './goods-receipts.js';
import { createItems } from './items.js';
import { createJournal } from './ledger.js';
import { createProjects } from './projects.js';
import { createPurchases } from './purchases.js';
import { createSales } from './sales.js';
import { createTaxRates } from './tax.js';
import { createTrackingCategories } from './tracking.js';

/**
 * The books of one demo company: every accounting record type, with totals that add up and entries that balance. The
 * entries are the whole ledger, and account balances follow from them.
 */
export function createBooks(
  random: Random,
  { name, trade }: { readonly name: string; readonly trade: Trade },
  size: Size = DEMO_SIZE,
): DemoRecords {
  const contacts = createContacts(random, size);
  const sales = createSales(random, { trade, contacts, size });
  const purchases = createPurchases(random, { trade, contacts, size });
  const openings = createOpenings(random);
  const books = new Map<string, readonly UnifiedRecord[]>([
    ['CURRENCIES', createCurrencies()],
    ['TAX_RATES', createTaxRates()],
    ['TRACKING_CATEGORIES', createTrackingCategories()],
    ['ACCOUNTS', []],
    ['ITEMS', createItems(random, trade, size)],
    ['CONTACTS', contacts.map(({ record }) => record)],
    ['SALES_ORDERS', sales.orders],
    ['INVOICES', sales.invoices],
    ['INVOICE_CREDIT_NOTES', sales.creditNotes],
    ['INVOICE_PAYMENTS', sales.payments],
    ['PURCHASE_ORDERS', purchases.orders],
    ['BILLS', purchases.bills],
    ['BILL_CREDIT_NOTES', purchases.creditNotes],
    ['BILL_PAYMENTS', purchases.payments],
    ['BANK_TRANSACTIONS', createBankTransactions(random, contacts, size)],
    ['JOURNAL_ENTRIES', createJournal(random, contacts, size)],
  ]);
  const documents = createDocuments(random, books, size);
  const expenses = createExpenses(random, { trade, contacts, size });
  const receipts = createDocuments(random, new Map([['EXPENSES', expenses]]), size);
  books.set('DOCUMENTS', [...documents, ...receipts]).set('EXPENSES', expenses);
  const journal = books.get('JOURNAL_ENTRIES') ?? [];
  const ledger = byTime([createOpening(openings), ...journal, ...postBooks(books)]);
  const accounts = createAccounts(ledgerBalances(ledger));
  return books
    .set('JOURNAL_ENTRIES', ledger)
    .set('ACCOUNTS', accounts)
    .set('COMPANY_INFO', createCompanyInfo(name))
    .set('BANK_ACCOUNTS', createBankAccounts(accounts))
    .set('PROJECTS', createProjects())
    .set('GOODS_RECEIPT_NOTES', createGoodsReceipts(purchases.orders));
}

/** Oldest first. */
const byTime = (entries: readonly UnifiedRecord<typeof journalEntry>[]) =>
  [...entries].sort((one, other) => timeOf(one) - timeOf(other));

const timeOf = ({ values }: UnifiedRecord<typeof journalEntry>) => Date.parse(values.updatedAt ?? '');
