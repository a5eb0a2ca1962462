import { type UnifiedLine, type UnifiedRecord } from '../../../../src/connectors/pull.js';
import { definitionOf, type RecordDefinition } from '../../../../src/records/index.js';
import { type Expected } from '../../conformance.js';
import { definitionFor, plainValues } from '../../plain-values.js';
import { type Kept, type ManualJournal, type Organisation } from '../domain.js';
import { isLiving, objectsOf } from '../models.js';
import { expectedContact } from './contacts.js';
import { expectedCreditNote, expectedFiles, expectedInvoice, expectedOrder } from './documents.js';
import { expectedBanked, expectedJournal, expectedPayments } from './money.js';
import {
  expectedAccount,
  expectedBankAccount,
  expectedCompany,
  expectedCurrency,
  expectedItem,
  expectedOptions,
  expectedTaxRate,
} from './settings.js';

// What becomes records of a type, models.ts tells.
const EXPECTED: Readonly<Record<string, (object: never, organisation: Organisation) => UnifiedRecord[]>> = {
  CURRENCIES: one(expectedCurrency),
  TAX_RATES: one(expectedTaxRate),
  ACCOUNTS: one(expectedAccount),
  TRACKING_CATEGORIES: expectedOptions,
  ITEMS: one(expectedItem),
  CONTACTS: one(expectedContact),
  INVOICES: one(expectedInvoice),
  BILLS: one(expectedInvoice),
  INVOICE_CREDIT_NOTES: one(expectedCreditNote),
  BILL_CREDIT_NOTES: one(expectedCreditNote),
  PURCHASE_ORDERS: one(expectedOrder),
  INVOICE_PAYMENTS: expectedPayments,
  BILL_PAYMENTS: expectedPayments,
  BANK_TRANSACTIONS: one(expectedBanked),
  JOURNAL_ENTRIES: (journal: ManualJournal, organisation) => [expectedJournal(journal, organisation)],
  DOCUMENTS: expectedFiles,
  COMPANY_INFO: expectedCompany,
  BANK_ACCOUNTS: one(expectedBankAccount),
};

/** What a connector must make of an organisation, told from what it is and not from what is sent of it. */
export function expectedOf(organisation: Organisation): Expected {
  return {
    of: (dataModel) =>
      objectsOf(organisation, dataModel)
        .filter(isLiving)
        .flatMap((object) => EXPECTED[dataModel]?.(object as never, organisation) ?? []),
    comparable: (dataModel, record) => comparable(definitionFor(dataModel), record),
  };
}

function one<Own extends Kept>(expected: (object: Own) => UnifiedRecord): (object: Own) => UnifiedRecord[] {
  return (object) => [expected(object)];
}

function comparable(definition: RecordDefinition, record: UnifiedRecord): unknown {
  const lines = Object.entries(record.lines ?? {}).map(([name, own]) => {
    const relation = definition.relations[name];
    const target = definitionOf(relation?.kind === 'lines' ? relation.target : '');
    return [name, own.map((line: UnifiedLine) => ({ ...line, values: plainValues(target, line.values) }))];
  });
  return {
    platformId: record.platformId,
    platformUniqueId: record.platformUniqueId ?? null,
    values: plainValues(definition, record.values),
    lines: Object.fromEntries(lines),
  };
}
