import { type Organisation } from '../domain.js';
import { makeAdvances } from './advances.js';
import { makeContacts } from './contacts.js';
import { makeDocuments } from './documents.js';
import { makeItems } from './items.js';
import { guidOf } from './kept.js';
import { makeBankTransactions, makeBankTransfers, makeManualJournals } from './money.js';
import { settle } from './settle.js';
import {
  makeAccounts,
  makeCompany,
  makeCurrencies,
  makeTaxRates,
  makeTrackingCategories,
} from './settings.js';

/** An organisation that is the same each time it is made, and long enough for several pages. */
export function makeOrganisation(): Organisation {
  const currencies = makeCurrencies();
  const taxRates = makeTaxRates();
  const accounts = makeAccounts(currencies);
  const trackingCategories = makeTrackingCategories();
  const items = makeItems({ accounts, taxRates });
  const contacts = makeContacts(currencies);
  const settings = { currencies, taxRates, accounts, trackingCategories, items, contacts };
  const documents = makeDocuments(settings);
  const advances = makeAdvances(documents);
  const bankTransfers = makeBankTransfers(settings);
  return {
    tenantId: guidOf('tenant'),
    company: makeCompany(),
    ...settings,
    documents,
    payments: settle(documents, accounts),
    advances,
    bankTransactions: [
      ...makeBankTransactions(settings),
      ...bankTransfers.flatMap(({ from, to }) => [from, to]),
    ],
    bankTransfers,
    manualJournals: makeManualJournals(settings),
  };
}
