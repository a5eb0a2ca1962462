import { randomUUID } from 'node:crypto';
import { Decimal } from 'decimal.js';
import type { BooksDocument, BooksObject, JournalLine } from '../objects.js';
import { fromStored, toStored } from '../stored.js';
import { type Money, moneyOf } from '../values.js';
import { JOURNAL_NATURES, MOVEMENT_NATURES, PAYMENT_MEANS } from '../wire/words.js';
import { inAccountCurrency } from './account-currency.js';
import { type Build, type BuildOptions, dayOf, identity, numberOf, rateOf, referenceOf } from './build.js';
import type { Fields } from './fields.js';
import type { References } from './references.js';
import { settleDocument, type SettledKind } from './settle.js';

interface Receipt extends BooksObject {
  readonly State: string;
  readonly Amount: Money;
  readonly [field: string]: unknown;
}

/** Customer receipts and supplier payments. They can be voided, but their documents and amount cannot be changed. */
export const buildReceipt: Build = async (options) => {
  const { kind, fields, references, change } = options;
  const before = options.before as Receipt | null;
  const isSale = kind === 'CustomerReceipts';
  const { Guid, ...times } = identity(options);
  const documentField = isSale ? 'Invoice' : 'Bill';
  const documentKind: SettledKind = isSale ? 'SalesInvoices' : 'PurchaseBills';
  const noteKind: SettledKind = isSale ? 'SalesCreditNotes' : 'SupplierCredits';
  const document = await references.document(fields, documentField, documentKind);
  const note = await references.document(fields, 'CreditNote', noteKind);
  if (!fields.has(documentField) && !fields.has('CreditNote')) fields.require(documentField);
  const settled = document ?? note;
  const owner = settled && fromStored<BooksDocument>(settled);
  const currency = owner?.Currency ?? 'AUD';
  if (note && !before && fromStored<BooksDocument>(note).Currency !== currency) {
    fields.invalid('CreditNote', `must be in ${currency}`);
  }
  fields.ignore('Partner');
  const given = fields.text('Currency', 3);
  if (owner && given !== null && given !== currency) {
    fields.invalid('Currency', `must be ${currency}, as of what it settles`);
  }
  fields.require('AccountNumber');
  const amount = (fields.require('Amount') ? fields.money('Amount', currency) : null) ?? new Decimal(0);
  if (!amount.greaterThan(0) && fields.has('Amount')) fields.invalid('Amount', 'must be positive');
  const number = isSale ? 'ReceiptNo' : 'RemittanceNo';
  const object: Receipt = {
    Guid,
    Number: await numberOf(options),
    [number]: fields.text(number, 100),
    Partner: owner?.Partner ?? null,
    [documentField]: document?.id ?? null,
    CreditNote: note?.id ?? null,
    AccountNumber: await references.account(fields, 'AccountNumber'),
    Amount: moneyOf(amount, currency),
    ExchangeRate: await rateOf(options, currency),
    PaymentMeans: fields.oneOf('PaymentMeans', Object.values(PAYMENT_MEANS)) ?? 'bank transfer',
    Text: fields.text('Text', 4000),
    Date: dayOf(options),
    State: fields.oneOf('State', ['booked', 'voided']) ?? 'booked',
    Reference: referenceOf(options),
    ...times,
  };
  const fixed = [documentField, 'CreditNote', 'Amount'] as const;
  for (const field of fixed) {
    if (before && JSON.stringify(before[field]) !== JSON.stringify(object[field])) {
      fields.invalid(field, 'cannot be changed: void it and make another');
    }
  }
  const booked = (state: string | undefined, paid: Decimal.Value) =>
    state === 'booked' ? new Decimal(paid) : new Decimal(0);
  const difference = booked(object.State, amount).minus(booked(before?.State, before?.Amount.Amount ?? 0));
  // The amount is fixed once it is made: only voiding moves it.
  const field = before ? 'State' : 'Amount';
  const settle = (kind: SettledKind, guid: string) =>
    settleDocument(change, { kind, guid, amount: difference, currency, by: Guid, field }, fields.problems);
  if (document) await settle(documentKind, document.id);
  if (note) await settle(noteKind, note.id);
  if (document && note)
    await noteApplication(options, { noteKind, note: note.id, document: document.id, difference });
  return object;
};

interface Application {
  readonly noteKind: SettledKind;
  readonly note: string;
  readonly document: string;
  readonly difference: Decimal;
}

/** Lists on a credit note the document that it settled. */
async function noteApplication({ change, fields }: BuildOptions, application: Application): Promise<void> {
  const { noteKind, note, document, difference } = application;
  const row = await change.find(noteKind, note);
  if (!row || difference.isZero() || !fields.problems.isEmpty) return;
  const stored = fromStored<BooksDocument>(row);
  const name = noteKind === 'SalesCreditNotes' ? 'Invoice' : 'Bill';
  const known = (stored['Applied'] ?? []) as readonly (Record<string, unknown> & {
    readonly Amount: Money;
  })[];
  const others = known.filter((one) => one[name] !== document);
  const before = known.filter((one) => one[name] === document);
  const amount = before.reduce((sum, { Amount }) => sum.plus(Amount.Amount), difference);
  const applied = amount.isZero()
    ? others
    : [...others, { [name]: document, Amount: moneyOf(amount, stored.Currency) }];
  const changed: BooksDocument = { ...stored, Applied: applied };
  await change.update(toStored(noteKind, changed));
}

const NATURE_OF: Readonly<Record<string, string>> = {
  receive: 'deposit',
  spend: 'expense',
  transfer: 'transfer',
};

/** The account used for an end of a bank movement that names none. */
const SUSPENSE = '6900';

interface Moved extends BooksObject {
  readonly Amount: Money;
  readonly StatementAccountNumber: string;
  readonly FromAccountNumber: string;
  readonly ToAccountNumber: string;
}

export const buildBankMovement: Build = async (options) => {
  const { fields, references } = options;
  const before = options.before as Moved | null;
  const { Guid, ...times } = identity(options);
  const currency = await references.currency(fields, before?.Amount.Currency);
  if (fields.require('Kind')) fields.oneOf('Kind', Object.keys(NATURE_OF));
  const kind = fields.raw('Kind');
  fields.require('Amount');
  if (kind !== 'receive') fields.require('FromAccountNumber');
  if (kind !== 'spend') fields.require('ToAccountNumber');
  const from = (await references.account(fields, 'FromAccountNumber')) ?? SUSPENSE;
  const to = (await references.account(fields, 'ToAccountNumber')) ?? SUSPENSE;
  const statement = await references.account(fields, 'StatementAccountNumber');
  const areKept = fields.isKept('FromAccountNumber') && fields.isKept('ToAccountNumber');
  if (from === to && !areKept) {
    const end = kind === 'receive' ? 'FromAccountNumber' : 'ToAccountNumber';
    fields.invalid(end, `must be another account than the other end, ${from}`);
  }
  const amount = fields.money('Amount', currency);
  if (amount && !amount.greaterThan(0)) fields.invalid('Amount', 'must be positive');
  const own = {
    Kind: kind,
    Nature: fields.oneOf('Nature', Object.values(MOVEMENT_NATURES)) ?? NATURE_OF[String(kind)],
    StatementAccountNumber: statementOf(options, { statement, kind, from, to }),
    FromAccountNumber: from,
    ToAccountNumber: to,
    Partner: await references.partner(fields, 'Partner'),
    Amount: moneyOf(amount ?? 0, currency),
    ExchangeRate: await rateOf(options, currency),
    Date: dayOf(options),
    State: fields.oneOf('State', ['cleared', 'pending', 'voided']) ?? 'cleared',
    Text: fields.text('Text', 4000),
    Reference: referenceOf(options),
  };
  return { Guid, ...own, ...times };
};

interface Ends {
  readonly statement: string | null;
  readonly kind: unknown;
  readonly from: string;
  readonly to: string;
}

/** The account whose statement shows a movement. If it was an end of the movement, it changes with that end. */
function statementOf({ fields, before }: BuildOptions, { statement, kind, from, to }: Ends): string {
  const usual = kind === 'receive' ? to : from;
  if (before === null || !fields.isKept('StatementAccountNumber')) return statement ?? usual;
  const { StatementAccountNumber: own, FromAccountNumber, ToAccountNumber } = before as Moved;
  if ([from, to].includes(own) || ![FromAccountNumber, ToAccountNumber].includes(own)) return own;
  return kind === 'transfer' && own === ToAccountNumber ? to : usual;
}

export const buildJournal: Build = async (options) => {
  const { fields, references } = options;
  fields.ignore('Total', 'Source');
  const { Guid, ...times } = identity(options);
  const currency = await references.currency(fields);
  const inputs = fields.require('Lines') ? fields.objects('Lines') : [];
  if (inputs.length < 2 && fields.has('Lines')) fields.invalid('Lines', 'must hold two lines or more');
  const rate = await rateOf(options, currency);
  const lines: JournalLine[] = [];
  for (const input of inputs) lines.push(await buildJournalLine(input, references, { currency, rate }));
  const sum = (side: 'Debit' | 'Credit') =>
    lines.reduce((total, line) => total.plus(line[side]?.Amount ?? 0), new Decimal(0));
  const [debit, credit] = [sum('Debit'), sum('Credit')];
  if (fields.problems.isEmpty && !debit.equals(credit)) {
    const message = `debits are ${debit.toFixed(2)}, credits ${credit.toFixed(2)}`;
    fields.problems.add('Lines', 'Unbalanced', message);
  }
  const own = {
    Number: await numberOf(options),
    Date: dayOf(options),
    Text: fields.text('Text', 4000),
    Nature: fields.oneOf('Nature', Object.values(JOURNAL_NATURES)) ?? 'standard',
    State: fields.oneOf('State', ['posted', 'draft', 'voided']) ?? 'posted',
    Currency: currency,
    ExchangeRate: rate,
    Total: moneyOf(debit, currency),
    Lines: lines,
    Source: null,
    Reference: referenceOf(options),
  };
  return { Guid, ...own, ...times };
};

async function buildJournalLine(
  input: Fields,
  references: References,
  { currency, rate }: { readonly currency: string; readonly rate: string },
): Promise<JournalLine> {
  input.ignore('InAccountCurrency');
  input.require('AccountNumber');
  const debit = input.money('Debit', currency);
  const credit = input.money('Credit', currency);
  if ((debit === null) === (credit === null)) {
    input.problems.add(input.name('Debit'), 'Invalid', 'a line has either Debit or Credit');
  }
  if (debit?.isNegative()) input.invalid('Debit', 'must not be negative');
  if (credit?.isNegative()) input.invalid('Credit', 'must not be negative');
  const number = (await references.account(input, 'AccountNumber')) ?? '';
  const amount = debit ?? credit ?? new Decimal(0);
  const line = {
    LineGuid: input.text('LineGuid', 100) ?? randomUUID(),
    AccountNumber: number,
    Partner: (await references.partner(input, 'Partner'))?.Guid ?? null,
    Text: input.text('Text', 4000),
    Debit: debit && moneyOf(debit, currency),
    Credit: credit && moneyOf(credit, currency),
    InAccountCurrency: await inAccountCurrency(references, number, {
      amount,
      currency,
      inBase: amount.times(rate),
    }),
    TaxCode: await references.taxCode(input, 'TaxCode'),
    Tax: moneyOf(input.money('Tax', currency) ?? 0, currency),
    DimensionOptions: await references.options(input, 'DimensionOptions'),
  };
  input.finish();
  return line;
}
