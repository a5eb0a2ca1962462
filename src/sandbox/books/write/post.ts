import { randomUUID } from 'node:crypto';
import { Decimal } from 'decimal.js';
import { CONTROL, postDocument, type Posting, postTransfer } from '../../postings.js';
import type { Change } from '../../store/change.js';
import { findByParent } from '../../store/objects.js';
import type { BooksKind } from '../kinds.js';
import type { BooksDocument, BooksJournal, BooksLine, BooksObject } from '../objects.js';
import { fromStored, toStored } from '../stored.js';
import { type Money, moneyOf } from '../values.js';
import { LEDGER_NATURES, word } from '../wire/words.js';
import { moveBalances } from './balances.js';

const BASE_CURRENCY = 'AUD';

/** Receipts, payments and bank movements. */
interface Movement extends BooksObject {
  readonly Number?: string | null;
  readonly Amount: Money;
  readonly ExchangeRate: string;
  readonly Date: string;
  readonly State: string;
  readonly [field: string]: unknown;
}

interface Rule {
  readonly type: string;
  readonly post: (object: Movement & BooksDocument) => Posting[];
}

const document = (type: string, side: 'DEBIT' | 'CREDIT', against: string): Rule => ({
  type,
  post: ({ Lines, ExchangeRate, AccountNumber }) =>
    postDocument({
      lines: Lines.map(linePosted),
      rate: ExchangeRate,
      side,
      against: textOf(AccountNumber) ?? against,
    }),
});

const linePosted = ({ AccountNumber, LineTotal, Discount, Tax }: BooksLine) => ({
  account: AccountNumber,
  net: new Decimal(LineTotal.Amount).minus(Discount.Amount),
  tax: Tax.Amount,
});

/**
 * A payment of a document moves money one way between account and control account, a refund of a credit note the
 * other way. A credit note that settles a document moves none: both are on the control account.
 */
const payment = (type: string, control: string, documentField: 'Invoice' | 'Bill'): Rule => ({
  type,
  post: ({ AccountNumber, Amount, ExchangeRate, CreditNote, ...own }) => {
    const account = textOf(AccountNumber);
    const isBack = own[documentField] === null;
    if (!isBack && CreditNote !== null) return [];
    const isIn = (documentField === 'Invoice') !== isBack;
    const ways = isIn ? { from: control, to: account } : { from: account, to: control };
    return postTransfer(ways, Amount.Amount, ExchangeRate);
  },
});

const RULES: Partial<Readonly<Record<BooksKind, Rule>>> = {
  SalesInvoices: document('INVOICE', 'CREDIT', CONTROL.receivable),
  SalesCreditNotes: document('CREDIT_NOTE', 'DEBIT', CONTROL.receivable),
  CustomerReceipts: payment('RECEIPT', CONTROL.receivable, 'Invoice'),
  PurchaseBills: document('BILL', 'DEBIT', CONTROL.payable),
  SupplierCredits: document('SUPPLIER_CREDIT', 'CREDIT', CONTROL.payable),
  SupplierPayments: payment('PAYMENT', CONTROL.payable, 'Bill'),
  Expenses: document('EXPENSE', 'DEBIT', CONTROL.suspense),
  BankMovements: {
    type: 'BANK',
    post: ({ FromAccountNumber, ToAccountNumber, Amount, ExchangeRate }) =>
      postTransfer(
        { from: textOf(FromAccountNumber), to: textOf(ToAccountNumber) },
        Amount.Amount,
        ExchangeRate,
      ),
  },
};

/** Updates the ledger after an object was written: creates, changes or voids its entry. */
export async function post(change: Change, kind: BooksKind, object: BooksObject): Promise<void> {
  const rule = RULES[kind];
  if (!rule) return;
  const paper = object as Movement & BooksDocument;
  const [row] = await findByParent(change.client, change.account, 'Journals', object.Guid);
  const before = row ? fromStored<BooksJournal>(row) : null;
  const isInForce = paper.State !== 'draft' && paper.State !== 'voided';
  const postings = isInForce ? rule.post(paper) : [];
  if (postings.length === 0) {
    if (before && before.State !== 'voided') {
      const voided: BooksJournal = { ...before, State: 'voided', ...changedAt(change) };
      await change.update(toStored('Journals', voided));
      await moveBalances(change, before, voided);
    }
    return;
  }
  const entry = entryOf(paper, { nature: word(LEDGER_NATURES, rule.type), postings, before }, change);
  if (before && isSame(entry, before)) return;
  await (before ? change.update(toStored('Journals', entry)) : change.insert(toStored('Journals', entry)));
  await moveBalances(change, before, entry);
}

const changedAt = ({ now }: Change) => ({ ChangedOn: now.toISOString() });

interface Posted {
  readonly nature: string;
  readonly postings: readonly Posting[];
  /** The entry so far. */
  readonly before: BooksJournal | null;
}

function entryOf(
  paper: Movement & BooksDocument,
  { nature, postings, before }: Posted,
  change: Change,
): BooksJournal {
  const debits = postings.filter(({ amount }) => amount.isPositive());
  const money = (amount: Decimal.Value) => moneyOf(amount, BASE_CURRENCY);
  const total = debits.reduce((sum, { amount }) => sum.plus(amount), new Decimal(0));
  return {
    Guid: before?.Guid ?? randomUUID(),
    Number: before?.Number ?? paper.Number ?? `GL-${paper.Guid.slice(0, 8).toUpperCase()}`,
    Date: paper.Date,
    Text: before?.Text ?? null,
    Nature: nature,
    State: 'posted',
    Currency: BASE_CURRENCY,
    ExchangeRate: '1',
    Total: money(total),
    Lines: postings.map(({ account, amount }, index) => ({
      LineGuid: before?.Lines[index]?.LineGuid ?? randomUUID(),
      AccountNumber: account,
      Partner: null,
      Text: null,
      Debit: amount.isPositive() ? money(amount) : null,
      Credit: amount.isPositive() ? null : money(amount.abs()),
      TaxCode: null,
      Tax: money(0),
      DimensionOptions: [],
    })),
    Source: { Guid: paper.Guid },
    Reference: null,
    CreatedOn: before?.CreatedOn ?? change.now.toISOString(),
    ...changedAt(change),
  };
}

/** Whether two entries move the same amounts on the same accounts and the same day. */
function isSame(one: BooksJournal, other: BooksJournal): boolean {
  const essence = ({ Date, State, Lines }: BooksJournal) =>
    JSON.stringify([
      Date,
      State,
      Lines.map(({ AccountNumber, Debit, Credit }) => [AccountNumber, Debit, Credit]),
    ]);
  return essence(one) === essence(other);
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);
