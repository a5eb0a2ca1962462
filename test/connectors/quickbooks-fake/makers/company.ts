import { QuickbooksCompany } from '../company.js';
import { makeContacts } from './contacts.js';
import { makeSales } from './documents.js';
import { makeFiles } from './files.js';
import { makeItems } from './items.js';
import { makeCardPayments, makeDeposits, makeJournals, makeTransfers } from './money.js';
import { makeBillPayments, makePayments, voidPayments } from './payments.js';
import { makePurchases } from './purchases.js';
import { makeReceipts } from './receipts.js';
import { makeAccounts, makeCurrencies, makeDimensions, makeHome, makeInfo } from './settings.js';
import { makeTaxes } from './taxes.js';

/** A company that trades in four currencies, always the same. */
export function makeCompany(edition: QuickbooksCompany['edition'] = 'US'): QuickbooksCompany {
  const company = new QuickbooksCompany(edition, makeInfo(), makeHome(edition));
  makeCurrencies(company);
  makeAccounts(company);
  makeDimensions(company);
  makeTaxes(company);
  makeContacts(company);
  makeItems(company);
  makeSales(company);
  makePurchases(company);
  makeJournals(company);
  makePayments(company);
  makeBillPayments(company);
  voidPayments(company);
  makeDeposits(company);
  makeTransfers(company);
  makeReceipts(company);
  makeCardPayments(company);
  makeFiles(company);
  return company;
}
