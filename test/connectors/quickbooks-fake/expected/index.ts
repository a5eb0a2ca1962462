import { type UnifiedLine, type UnifiedRecord } from '../../../../src/connectors/pull.js';
import { definitionOf, type RecordDefinition } from '../../../../src/records/index.js';
import { type Expected } from '../../conformance.js';
import { definitionFor, plainValues } from '../../plain-values.js';
import { type QuickbooksCompany } from '../company.js';
import { modelOf } from '../models.js';
import { expectedContact } from './contacts.js';
import { expectedCreditNote, expectedExpense, expectedInvoice, expectedOrder } from './documents.js';
import { expectedBanked, expectedFiles, expectedJournal, expectedPayments } from './money.js';
import {
  expectedAccount,
  expectedBankAccount,
  expectedCompany,
  expectedCurrency,
  expectedDimension,
  expectedItem,
  expectedTaxRate,
} from './settings.js';

type Expecting = (object: never, company: QuickbooksCompany) => UnifiedRecord | UnifiedRecord[];

const EXPECTED: Readonly<Record<string, Expecting>> = {
  COMPANY_INFO: expectedCompany,
  CURRENCIES: expectedCurrency,
  TAX_RATES: expectedTaxRate,
  ACCOUNTS: expectedAccount,
  BANK_ACCOUNTS: expectedBankAccount,
  TRACKING_CATEGORIES: expectedDimension,
  CONTACTS: expectedContact,
  ITEMS: expectedItem,
  INVOICES: expectedInvoice,
  INVOICE_CREDIT_NOTES: expectedCreditNote,
  BILLS: expectedInvoice,
  BILL_CREDIT_NOTES: expectedCreditNote,
  PURCHASE_ORDERS: expectedOrder,
  EXPENSES: expectedExpense,
  INVOICE_PAYMENTS: expectedPayments,
  BILL_PAYMENTS: expectedPayments,
  BANK_TRANSACTIONS: expectedBanked,
  JOURNAL_ENTRIES: expectedJournal,
  DOCUMENTS: expectedFiles,
};

/** What a connector must make of a company, told from what it is and not from what is sent of it. */
export function expectedOf(company: QuickbooksCompany): Expected {
  return {
    of: (dataModel) =>
      modelOf(dataModel)
        .objects(company)
        .flatMap((object) => EXPECTED[dataModel]?.(object as never, company) ?? []),
    comparable: (dataModel, record) => comparable(definitionFor(dataModel), record),
  };
}

/** What QuickBooks does not tell of an object by itself, or only in words of ours. */
const UNTOLD: Readonly<Record<string, readonly string[]>> = {
  TRACKING_CATEGORIES: ['hasChildren'],
  TAX_RATES: ['taxType', 'taxAgency'],
  CURRENCIES: ['symbol', 'exchangeRate'],
  INVOICE_CREDIT_NOTES: ['invoiceIds'],
  BILL_CREDIT_NOTES: ['billIds'],
};
/** No discount and no tax may be unknown or nothing. */
const NOTHING = ['totalDiscount', 'taxAmount'];

function comparable(definition: RecordDefinition, record: UnifiedRecord): unknown {
  const lines = Object.entries(record.lines ?? {}).map(([name, own]) => {
    const relation = definition.relations[name];
    const target = definitionOf(relation?.kind === 'lines' ? relation.target : '');
    return [name, own.map((line: UnifiedLine) => told(target, line.values))];
  });
  const values = told(definition, record.values);
  if (values['isBaseCurrency'] === true) delete values['name'];
  return { platformId: record.platformId, values, lines: Object.fromEntries(lines) };
}

function told(definition: RecordDefinition, values: object): Record<string, unknown> {
  const untold = UNTOLD[definition.dataModel] ?? [];
  const entries = Object.entries(plainValues(definition, values)).filter(
    ([name, value]) =>
      !untold.includes(name) &&
      !(NOTHING.includes(name) && value === '0') &&
      !(Array.isArray(value) && value.length === 0),
  );
  return Object.fromEntries(entries);
}
