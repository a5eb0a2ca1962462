import { randomUUID } from 'node:crypto';
import { Decimal } from 'decimal.js';
import {
  CONTROL,
  inBase,
  merged,
  postDocument,
  postPayment,
  type Posting,
  postTransfer,
} from '../../postings.js';
import type { Change } from '../../store/change.js';
import { findByParent } from '../../store/objects.js';
import type { BooksKind } from '../kinds.js';
import type { BooksDocument, BooksJournal, BooksObject, JournalLine } from '../objects.js';
import { fromStored, toStored } from '../stored.js';
import { type Money, moneyOf } from '../values.js';
import { LEDGER_NATURES, word } from '../wire/words.js';
import { inAccountCurrency } from './account-currency.js';
import { moveBalances } from './balances.js';
import { BASE_CURRENCY, postedOf, settledBy, settledInBase } from './control.js';
import { openExchange } from './exchange.js';
import { References } from './references.js';

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
  readonly post: (object: Movement & BooksDocument, change: Change) => Posting[] | Promise<Posting[]>;
}

const document = (type: string, side: 'DEBIT' | 'CREDIT', against: string): Rule => ({
  type,
  post: (paper) =>
    postDocument({
      ...postedOf(paper),
      side,
      against: textOf(paper['AccountNumber']) ?? against,
      settled: isSettled(paper) ? settledInBase(paper) : null,
    }),
});

const isSettled = ({ Outstanding, Remaining }: BooksDocument): boolean => {
  const left = Outstanding ?? Remaining;
  return left !== undefined && new Decimal(left.Amount).isZero();
};

const payment = (type: string, isSale: boolean): Rule => ({
  type,
  post: async ({ Guid, AccountNumber, Amount, ExchangeRate, ...own }, change) => {
    const settled = async (kind: BooksKind, guid: string | null) => {
      const row = guid === null ? null : await change.find(kind, guid);
      const share = row && settledBy(fromStored<BooksDocument>(row), Guid);
      if (guid === null || share) return share;
      return inBase(Amount.Amount, ExchangeRate);
    };
    return postPayment({
      isSale,
      account: textOf(AccountNumber),
      amount: Amount.Amount,
      rate: ExchangeRate,
      ofDocument: isSale
        ? await settled('SalesInvoices', textOf(own['Invoice']))
        : await settled('PurchaseBills', textOf(own['Bill'])),
      ofNote: await settled(isSale ? 'SalesCreditNotes' : 'SupplierCredits', textOf(own['CreditNote'])),
    });
  },
});

/** A credit note, with the exchange differences from what it is applied to. */
const creditNote = (rule: Rule, isSale: boolean): Rule => ({
  ...rule,
  post: async (note, change) => {
    const postings = [...(await rule.post(note, change))];
    for (const { By, Amount } of note.Settlements ?? []) {
      const row = await change.find(isSale ? 'SalesInvoices' : 'PurchaseBills', By);
      const ofDocument = row && settledBy(fromStored<BooksDocument>(row), note.Guid);
      if (!ofDocument) continue;
      const ofNote = settledBy(note, By);
      const { Amount: amount } = Amount;
      postings.push(...postPayment({ isSale, account: null, amount, rate: '1', ofDocument, ofNote }));
    }
    return merged(postings);
  },
});

const RULES: Partial<Readonly<Record<BooksKind, Rule>>> = {
  SalesInvoices: document('INVOICE', 'CREDIT', CONTROL.receivable),
  SalesCreditNotes: creditNote(document('CREDIT_NOTE', 'DEBIT', CONTROL.receivable), true),
  CustomerReceipts: payment('RECEIPT', true),
  PurchaseBills: document('BILL', 'DEBIT', CONTROL.payable),
  SupplierCredits: creditNote(document('SUPPLIER_CREDIT', 'CREDIT', CONTROL.payable), false),
  SupplierPayments: payment('PAYMENT', false),
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
  const postings = isInForce ? await rule.post(paper, change) : [];
  if (postings.length === 0) {
    if (before && before.State !== 'voided') {
      const voided: BooksJournal = { ...before, State: 'voided', ...changedAt(change) };
      await change.update(toStored('Journals', voided));
      await moveBalances(change, before, voided);
    }
    return;
  }
  const nature = word(LEDGER_NATURES, rule.type);
  const entry = await entryOf(paper, { nature, postings, before }, change);
  if (before && isSame(entry, before)) return;
  if (postings.some(({ account }) => account === CONTROL.exchange)) await openExchange(change);
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

async function entryOf(
  paper: Movement & BooksDocument,
  { nature, postings, before }: Posted,
  change: Change,
): Promise<BooksJournal> {
  const references = new References(change);
  const currency = paper.Currency ?? paper.Amount.Currency;
  const debits = postings.filter(({ amount }) => amount.isPositive());
  const money = (amount: Decimal.Value) => moneyOf(amount, BASE_CURRENCY);
  const lines: JournalLine[] = [];
  for (const { account, amount, original } of postings) {
    lines.push({
      LineGuid: before?.Lines[lines.length]?.LineGuid ?? randomUUID(),
      AccountNumber: account,
      Partner: null,
      Text: null,
      Debit: amount.isPositive() ? money(amount) : null,
      Credit: amount.isPositive() ? null : money(amount.abs()),
      InAccountCurrency: await inAccountCurrency(references, account, {
        amount: original.abs(),
        currency,
        inBase: amount.abs(),
      }),
      TaxCode: null,
      Tax: money(0),
      DimensionOptions: [],
    });
  }
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
    Lines: lines,
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
      Lines.map(({ AccountNumber, Debit, Credit, InAccountCurrency = null }) => [
        AccountNumber,
        Debit,
        Credit,
        InAccountCurrency,
      ]),
    ]);
  return essence(one) === essence(other);
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);
