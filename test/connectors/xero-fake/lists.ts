import { type Kept, type Organisation, type TradeDocument } from './domain.js';
import { type Row } from './query.js';
import { contactToWire } from './wire/contacts.js';
import { creditNoteToWire, invoiceToWire, purchaseOrderToWire } from './wire/documents.js';
import {
  bankTransactionToWire,
  bankTransferToWire,
  manualJournalToWire,
  overpaymentToWire,
  paymentToWire,
  prepaymentToWire,
} from './wire/money.js';
import {
  accountToWire,
  currencyToWire,
  itemToWire,
  taxRateToWire,
  trackingCategoryToWire,
} from './wire/settings.js';

interface ListOf<Own extends Kept> {
  readonly isPaged?: boolean;
  /** Whether `If-Modified-Since` is read; it is ignored elsewhere. */
  readonly isIncremental?: boolean;
  /** Whether `IDs` is read; it is ignored elsewhere. */
  readonly takesIds?: boolean;
  readonly of: (organisation: Organisation) => readonly Own[];
  /** Left out unless the call asks for it. */
  readonly isHidden?: (record: Own, query: URLSearchParams) => boolean;
  readonly toWire: (record: Own, query: URLSearchParams) => object;
}

export interface List {
  readonly isPaged: boolean;
  /** Oldest change first, as Xero lists without `order`. */
  rows(organisation: Organisation, request: { query: URLSearchParams; since: Date | null }): Row[];
  /** One object by its id, with all that belongs to it. */
  one(organisation: Organisation, id: string, query: URLSearchParams): Row | null;
}

function list<Own extends Kept>(own: ListOf<Own>): List {
  return {
    isPaged: own.isPaged ?? false,
    rows: (organisation, { query, since }) =>
      own
        .of(organisation)
        .filter(({ updatedAt }) => !own.isIncremental || since === null || updatedAt >= since)
        .filter(({ id }) => !own.takesIds || !query.has('IDs') || query.get('IDs')?.split(',').includes(id))
        .filter((record) => !own.isHidden?.(record, query))
        .sort((one, other) => one.updatedAt.getTime() - other.updatedAt.getTime())
        .map((record) => own.toWire(record, query) as Row),
    one: (organisation, id, query) => {
      const record = own.of(organisation).find((one) => one.id === id);
      const all = new URLSearchParams([...query, ['page', '1'], ['includeArchived', 'true']]);
      return record ? (own.toWire(record, all) as Row) : null;
    },
  };
}

const asksFor = (query: URLSearchParams, name: string): boolean => query.get(name) === 'true';
const viewOf = (query: URLSearchParams) => ({ priceDigits: query.get('unitdp') === '4' ? 4 : 2 });
const ofTypes =
  (...types: readonly string[]) =>
  ({ documents }: Organisation): TradeDocument[] =>
    documents.filter(({ type }) => types.includes(type));

/** Lines come with pages only. */
function withoutLines(row: object, query: URLSearchParams): object {
  return query.has('page') ? row : { ...row, LineItems: [] };
}

/** Every list that there is, by its path. */
export const LISTS: ReadonlyMap<string, List> = new Map([
  ['Currencies', list({ of: ({ currencies }) => currencies, toWire: currencyToWire })],
  ['TaxRates', list({ of: ({ taxRates }) => taxRates, toWire: taxRateToWire })],
  ['Accounts', list({ isIncremental: true, of: ({ accounts }) => accounts, toWire: accountToWire })],
  [
    'TrackingCategories',
    list({
      of: ({ trackingCategories }) => trackingCategories,
      isHidden: ({ status }, query) => status === 'ARCHIVED' && !asksFor(query, 'includeArchived'),
      toWire: (category, query) => trackingCategoryToWire(category, asksFor(query, 'includeArchived')),
    }),
  ],
  [
    'Items',
    list({
      isIncremental: true,
      of: ({ items }) => items,
      toWire: (item, query) => itemToWire(item, viewOf(query).priceDigits),
    }),
  ],
  [
    'Contacts',
    list({
      isPaged: true,
      isIncremental: true,
      takesIds: true,
      of: ({ contacts }) => contacts,
      isHidden: ({ status }, query) => status === 'ARCHIVED' && !asksFor(query, 'includeArchived'),
      toWire: contactToWire,
    }),
  ],
  [
    'Invoices',
    list({
      isPaged: true,
      isIncremental: true,
      takesIds: true,
      of: ofTypes('ACCREC', 'ACCPAY'),
      isHidden: ({ status }, query) => status === 'ARCHIVED' && !asksFor(query, 'includeArchived'),
      toWire: (document, query) => withoutLines(invoiceToWire(document, viewOf(query)), query),
    }),
  ],
  [
    'CreditNotes',
    list({
      isPaged: true,
      isIncremental: true,
      of: ofTypes('ACCRECCREDIT', 'ACCPAYCREDIT'),
      toWire: (document, query) => withoutLines(creditNoteToWire(document, viewOf(query)), query),
    }),
  ],
  [
    'PurchaseOrders',
    list({
      isPaged: true,
      isIncremental: true,
      of: ofTypes('PURCHASEORDER'),
      toWire: (document) => purchaseOrderToWire(document, { priceDigits: 2 }),
    }),
  ],
  [
    'Payments',
    list({ isPaged: true, isIncremental: true, of: ({ payments }) => payments, toWire: paymentToWire }),
  ],
  [
    'Prepayments',
    list({
      isPaged: true,
      isIncremental: true,
      of: ({ advances }) => advances.filter(({ type }) => type.endsWith('PREPAYMENT')),
      toWire: prepaymentToWire,
    }),
  ],
  [
    'Overpayments',
    list({
      isPaged: true,
      isIncremental: true,
      of: ({ advances }) => advances.filter(({ type }) => type.endsWith('OVERPAYMENT')),
      toWire: overpaymentToWire,
    }),
  ],
  [
    'BankTransactions',
    list({
      isPaged: true,
      isIncremental: true,
      of: ({ bankTransactions }) => bankTransactions,
      toWire: bankTransactionToWire,
    }),
  ],
  [
    'BankTransfers',
    list({
      isIncremental: true,
      of: ({ bankTransfers }) => bankTransfers,
      isHidden: ({ status }, query) => status === 'DELETED' && !asksFor(query, 'includeDeleted'),
      toWire: bankTransferToWire,
    }),
  ],
  [
    'ManualJournals',
    list({
      isPaged: true,
      isIncremental: true,
      of: ({ manualJournals }) => manualJournals,
      toWire: manualJournalToWire,
    }),
  ],
]);
