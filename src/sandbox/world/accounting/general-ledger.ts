import { Decimal } from 'decimal.js';
import type { UnifiedLine, UnifiedRecord } from '../../../connectors/pull.js';
import type {
  bankTransaction,
  bill,
  billPayment,
  expense,
  invoice,
  invoicePayment,
  journalEntry,
  journalLine,
} from '../../../records/index.js';
import { CONTROL, postDocument, postPayment, type Posting, postTransfer } from '../../postings.js';
import type { DemoRecords } from '../demo-records.js';
import { money, sum, ZERO } from '../money.js';
import { day, instant } from '../time.js';
import { BASE_CURRENCY, currencyFields } from './currencies.js';
import { postedOf, type Settlements, settlementsIn } from './settlements.js';

type Entry = UnifiedRecord<typeof journalEntry>;

/** Prefix of the ids of posted entries; the rest is the id of the source. */
export const POSTED_PREFIX = 'gl-';
/** The opening entry is dated the day before everything else, and entered on the first day. */
const OPENING_DAY = -1;
const OPENING_ENTERED = 0.5;

/** The opening balances, as an entry. */
export function createOpening(openings: ReadonlyMap<string, Decimal>): Entry {
  const postings = [...openings].flatMap(([account, amount]) =>
    amount.isZero() ? [] : [{ account, amount }],
  );
  return createEntry('opening', postings, {
    description: 'Opening balances',
    documentNumber: 'OPENING',
    journalEntryType: 'OPENING',
    postedDate: day(OPENING_DAY),
    updatedAt: instant(OPENING_ENTERED),
  });
}

/**
 * The entries posted for every document, payment and bank transaction in force: together with the journals, the whole
 * ledger.
 */
export function postBooks(books: DemoRecords): Entry[] {
  const settlements = settlementsIn(books);
  return Object.entries(POSTED).flatMap(([model, { type, post, dayOf }]) =>
    (books.get(model) ?? []).flatMap((record) => {
      const values = record.values as Values;
      const isInForce = !record.deleted && values.status !== 'DRAFT' && values.status !== 'VOID';
      const postings = isInForce ? post(record, settlements) : [];
      if (postings.length === 0) return [];
      return createEntry(`${POSTED_PREFIX}${record.platformId}`, postings, {
        description: null,
        documentNumber: values.documentNumber ?? record.platformId.toUpperCase(),
        journalEntryType: type,
        postedDate: dayOf(values) ?? null,
        updatedAt: values.updatedAt ?? null,
      });
    }),
  );
}

/** The balance of each account after all entries in force: debits less credits. */
export function ledgerBalances(entries: readonly Entry[]): Map<string, Decimal> {
  const balances = new Map<string, Decimal>();
  const live = entries.filter(({ deleted, values }) => !deleted && values.status === 'POSTED');
  for (const { values } of live.flatMap(({ lines }) => (lines?.['journalLines'] ?? []) as Line[])) {
    const code = values.accountCode ?? '';
    const amount = new Decimal(values.netAmount ?? 0);
    balances.set(
      code,
      (balances.get(code) ?? ZERO).plus(values.type === 'DEBIT' ? amount : amount.negated()),
    );
  }
  return balances;
}

type Line = UnifiedLine<typeof journalLine>;

/** Values that posting reads; each record has some of them. */
interface Values {
  readonly status?: string | null;
  readonly documentNumber?: string | null;
  readonly postedDate?: string | null;
  readonly paymentDate?: string | null;
  readonly transactionDate?: string | null;
  readonly updatedAt?: string | null;
}

interface Rule {
  readonly type: string;
  readonly post: (record: UnifiedRecord, settlements: Settlements) => Posting[];
  readonly dayOf: (values: Values) => string | null | undefined;
}

const codeOf = (accountId: string | null | undefined) => accountId?.replace(/^acc-/, '') ?? null;

const document = (type: string, side: 'DEBIT' | 'CREDIT', against: string): Rule => ({
  type,
  post: (record) => {
    const { values } = record as UnifiedRecord<typeof invoice | typeof bill | typeof expense>;
    const account = codeOf((values as UnifiedRecord<typeof expense>['values']).accountId);
    return postDocument({ ...postedOf(record), side, against: account ?? against });
  },
  dayOf: ({ postedDate }) => postedDate,
});

const payment = (type: string, isSale: boolean): Rule => ({
  type,
  post: (record, settlements) => {
    const { values, platformId } = record as UnifiedRecord<typeof invoicePayment & typeof billPayment>;
    const settledOf = (paper: string | null | undefined) =>
      paper == null ? null : (settlements.get(paper)?.find(({ by }) => by === platformId)?.inBase ?? ZERO);
    return postPayment({
      isSale,
      account: codeOf(values.accountId),
      amount: values.amount ?? 0,
      rate: values.currencyRate ?? 1,
      ofDocument: settledOf(values.invoiceId ?? values.billId),
      ofNote: settledOf(values.creditNoteId),
    });
  },
  dayOf: ({ paymentDate }) => paymentDate,
});

const POSTED: Readonly<Record<string, Rule>> = {
  INVOICES: document('INVOICE', 'CREDIT', CONTROL.receivable),
  INVOICE_CREDIT_NOTES: document('CREDIT_NOTE', 'DEBIT', CONTROL.receivable),
  INVOICE_PAYMENTS: payment('RECEIPT', true),
  BILLS: document('BILL', 'DEBIT', CONTROL.payable),
  BILL_CREDIT_NOTES: document('SUPPLIER_CREDIT', 'CREDIT', CONTROL.payable),
  BILL_PAYMENTS: payment('PAYMENT', false),
  EXPENSES: document('EXPENSE', 'DEBIT', CONTROL.suspense),
  BANK_TRANSACTIONS: {
    type: 'BANK',
    post: (record) => {
      const { values } = record as UnifiedRecord<typeof bankTransaction>;
      const ways = { from: codeOf(values.fromAccountId), to: codeOf(values.toAccountId) };
      return postTransfer(ways, values.amount ?? 0, values.currencyRate ?? 1);
    },
    dayOf: ({ transactionDate }) => transactionDate,
  },
};

function createEntry(
  platformId: string,
  postings: readonly Pick<Posting, 'account' | 'amount'>[],
  own: Pick<
    Entry['values'],
    'description' | 'documentNumber' | 'journalEntryType' | 'postedDate' | 'updatedAt'
  >,
): Entry {
  const lines = postings.map(({ account, amount }, index): Line => ({
    platformId: `${platformId}-line-${index + 1}`,
    values: {
      journalEntryId: platformId,
      accountId: `acc-${account}`,
      accountCode: account,
      contactId: null,
      description: null,
      type: amount.isNegative() ? 'CREDIT' : 'DEBIT',
      netAmount: money(amount.abs()),
      taxAmount: '0.00',
      taxId: null,
      trackingCategoryIds: [],
      updatedAt: own.updatedAt ?? null,
    },
  }));
  const debits = postings.filter(({ amount }) => amount.isPositive()).map(({ amount }) => amount);
  return {
    platformId,
    values: {
      accountId: lines[0]?.values.accountId ?? null,
      amount: money(sum(debits)),
      ...currencyFields(BASE_CURRENCY),
      status: 'POSTED',
      ...own,
    },
    lines: { journalLines: lines },
  };
}
