import { bankTransaction, journalEntry } from '../../../records/index.js';
import { type PlatformClient, type PlatformObject } from '../../platform.js';
import { type PullResource } from '../../pull.js';
import { FULL_PRICES, MANUAL_JOURNALS } from '../listings.js';
import { toBankTransaction, TRANSFER_PREFIX } from '../mappers/bank-transaction.js';
import { ACCOUNTS_BY_CODE } from '../mappers/codes.js';
import { toJournalEntry } from '../mappers/journal-entry.js';
import { inTurn, type Part } from '../../lists/in-turn.js';
import { type Listing, pagedListing, type PagedListing, wholeListing, readOne } from '../pages.js';

const TRANSACTIONS: PagedListing = {
  name: 'BankTransactions',
  idName: 'BankTransactionID',
  incremental: true,
  query: FULL_PRICES,
  queryOfOne: FULL_PRICES,
};
const TRANSFERS: Listing = { name: 'BankTransfers', incremental: true, query: { includeDeleted: 'true' } };

const BANK_PARTS: readonly Part[] = [
  { name: TRANSACTIONS.name, pages: (client, options) => pagedListing(TRANSACTIONS, client, options) },
  { name: TRANSFERS.name, pages: (client, options) => wholeListing(TRANSFERS, client, options) },
];

const readTransaction = readOne(TRANSACTIONS);
const readTransfer = readOne(TRANSFERS);

async function readBanked(client: PlatformClient, platformId: string): Promise<PlatformObject | null> {
  return platformId.startsWith(TRANSFER_PREFIX)
    ? readTransfer(client, platformId.slice(TRANSFER_PREFIX.length))
    : readTransaction(client, platformId);
}

export const bankTransactions: PullResource<typeof bankTransaction> = {
  definition: bankTransaction,
  mapperVersion: 3,
  incremental: true,
  pages: (client, options) => inTurn(BANK_PARTS, client, options),
  read: readBanked,
  toUnified: toBankTransaction,
};

export const journalEntries: PullResource<typeof journalEntry> = {
  definition: journalEntry,
  mapperVersion: 3,
  incremental: true,
  lookups: [ACCOUNTS_BY_CODE],
  pages: (client, options) => pagedListing(MANUAL_JOURNALS, client, options),
  read: readOne(MANUAL_JOURNALS),
  toUnified: toJournalEntry,
};
