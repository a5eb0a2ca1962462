import { Decimal } from 'decimal.js';
import { Failure } from '../../failure.js';
import { readCustomFields } from '../custom-fields.js';
import type { BooksDocument } from '../objects.js';
import { fromStored } from '../stored.js';
import { type Money, moneyOf } from '../values.js';
import { totalsOf } from '../wire/documents.js';
import { PAYMENT_MEANS } from '../wire/words.js';
import {
  type Build,
  type BuildOptions,
  dayOf,
  daysAfter,
  identity,
  numberOf,
  rateOf,
  referenceOf,
} from './build.js';
import type { Fields } from './fields.js';
import { buildLines } from './lines.js';
import { addressesOf } from './masters.js';
import { isSettledKind, leftOf, settleDocument, type SettledKind, settledWith, withLeft } from './settle.js';

/** States that a caller may set; the first is the default. */
const STATES: Readonly<Record<string, readonly [string, ...string[]]>> = {
  SalesInvoices: ['sent', 'draft', 'voided'],
  PurchaseBills: ['sent', 'draft', 'voided'],
  SalesCreditNotes: ['open', 'draft', 'voided'],
  SupplierCredits: ['open', 'draft', 'voided'],
  SalesOrders: ['confirmed', 'draft', 'completed', 'cancelled'],
  PurchaseOrders: ['confirmed', 'draft', 'completed', 'cancelled'],
  Expenses: ['booked', 'draft', 'voided'],
};
const DUE_DAYS = 30;

/** Invoices, bills, credit notes, orders and expenses. */
export const buildDocument: Build = async (options) => {
  const { kind, fields, references } = options;
  const before = options.before as BooksDocument | null;
  fields.ignore('LinesTotal', 'DiscountTotal', 'TaxTotal', 'GrandTotal');
  const { Guid, ...times } = identity(options);
  const currency = await references.currency(fields);
  if (kind !== 'Expenses') fields.require('Partner');
  const date = dayOf(options);
  const head = {
    Guid,
    Number: await numberOf(options),
    Partner: await references.partner(fields, 'Partner'),
    Currency: currency,
    ExchangeRate: await rateOf(options, currency),
    Date: date,
    State: stateOf(options, before),
    Text: fields.text('Text', 4000),
  };
  const own = await ownFields(options, { currency, date });
  const isSale = kind.startsWith('Sales');
  const lines = await buildLines(fields, references, { currency, side: isSale ? 'Selling' : 'Buying' });
  const document: BooksDocument = {
    ...head,
    ...own,
    Lines: lines,
    ...totalsOf(lines, currency),
    CustomFields: readCustomFields(fields, 'Documents', before),
    Reference: referenceOf(options),
    ...times,
  };
  if (!isSettledKind(kind)) return document;
  return settleOwn(options, kind, document, before);
};

function stateOf({ kind, fields }: BuildOptions, before: BooksDocument | null): string {
  const states = STATES[kind] ?? ['open'];
  const given = fields.raw('State');
  if (before && given === before.State) return before.State;
  return fields.oneOf('State', states) ?? states[0];
}

interface Common {
  readonly currency: string;
  readonly date: string;
}

async function ownFields(options: BuildOptions, { currency, date }: Common): Promise<object> {
  const { kind, fields, references } = options;
  switch (kind) {
    case 'SalesInvoices':
    case 'PurchaseBills': {
      const orders = kind === 'SalesInvoices' ? 'SalesOrders' : 'PurchaseOrders';
      fields.ignore('Outstanding', 'Settlements');
      return {
        DueDate: fields.day('DueDate') ?? daysAfter(date, DUE_DAYS),
        [orders]: await references.documents(fields, orders, orders),
        Outstanding: moneyOf(0, currency),
      };
    }
    case 'SalesCreditNotes':
    case 'SupplierCredits':
      fields.ignore('Remaining', 'Settlements');
      return { Applied: await appliedOf(options, currency), Remaining: moneyOf(0, currency) };
    case 'SalesOrders':
    case 'PurchaseOrders': {
      const followers = kind === 'SalesOrders' ? 'Invoices' : 'Bills';
      fields.ignore(followers);
      return {
        DeliveryDate: fields.day('DeliveryDate'),
        Addresses: addressesOf(fields),
        ...(kind === 'PurchaseOrders'
          ? { PaymentMeans: fields.oneOf('PaymentMeans', Object.values(PAYMENT_MEANS)) }
          : {}),
        [followers]: (options.before as BooksDocument | null)?.[followers] ?? [],
      };
    }
    case 'Expenses':
      fields.require('AccountNumber');
      return {
        AccountNumber: await references.account(fields, 'AccountNumber'),
        PaymentMeans: fields.oneOf('PaymentMeans', Object.values(PAYMENT_MEANS)) ?? 'bank transfer',
      };
    default:
      throw new Error(`${kind} is no document`);
  }
}

interface Applied {
  readonly Invoice?: string;
  readonly Bill?: string;
  readonly Amount: Money;
}

async function appliedOf({ kind, fields, references }: BuildOptions, currency: string): Promise<Applied[]> {
  const name = kind === 'SalesCreditNotes' ? 'Invoice' : 'Bill';
  const target = kind === 'SalesCreditNotes' ? 'SalesInvoices' : 'PurchaseBills';
  const applied: Applied[] = [];
  for (const input of fields.objects('Applied')) {
    input.require(name);
    const row = await references.document(input, name, target);
    if (row && !input.isKept(name) && fromStored<BooksDocument>(row).Currency !== currency) {
      input.invalid(name, `must be in ${currency}`);
    }
    const amount = input.require('Amount') ? input.money('Amount', currency) : null;
    if (amount !== null && !amount.greaterThan(0)) input.invalid('Amount', 'must be positive');
    input.finish();
    if (row && amount) applied.push({ [name]: row.id, Amount: moneyOf(amount, currency) });
  }
  return applied;
}

/**
 * Computes the unsettled amount of an invoice, bill or credit note after the change. Also settles the documents that a
 * credit note is applied to, unless it is a draft: no entry is posted for drafts.
 */
async function settleOwn(
  options: BuildOptions,
  kind: SettledKind,
  document: BooksDocument,
  before: BooksDocument | null,
): Promise<BooksDocument> {
  const { change, fields } = options;
  const settled = before ? new Decimal(before.GrandTotal.Amount).minus(leftOf(kind, before)) : new Decimal(0);
  if (before && before.Currency !== document.Currency && !settled.isZero()) {
    throw new Failure(
      'in-use',
      `Currency: what is settled in part stays in ${before.Currency}: void what settles it`,
    );
  }
  if (before && !settled.isZero() && !new Decimal(before.ExchangeRate).equals(document.ExchangeRate)) {
    fields.invalid(
      'ExchangeRate',
      `must stay ${before.ExchangeRate}, at which it is settled: void that first`,
    );
  }
  if (document.State === 'voided') {
    if (!settled.isZero())
      throw new Failure('in-use', 'State: what is settled in part cannot be voided: void what settles it');
    return withLeft(kind, document, new Decimal(0));
  }
  const target = kind === 'SalesCreditNotes' ? 'SalesInvoices' : 'PurchaseBills';
  const Settlements = before ? before.Settlements : [];
  const total = new Decimal(document.GrandTotal.Amount);
  refuseReceiptsUndone(fields, before, document);
  let own = withLeft(kind, { ...document, ...(Settlements && { Settlements }) }, total.minus(settled));
  for (const [guid, amount] of appliedChanges(before, document)) {
    const settling = { amount, currency: document.Currency, by: document.Guid, field: 'Applied' };
    await settleDocument(change, { kind: target, guid, ...settling }, fields.problems);
    own = settledWith(kind, own, { by: guid, amount });
  }
  const left = leftOf(kind, own);
  if (document.State === 'draft' && !left.equals(total)) {
    throw new Failure('in-use', 'State: what is settled in part cannot become a draft: void what settles it');
  }
  if (left.isNegative()) {
    const isApplied = appliedSums(document).size > 0;
    fields.problems.add(isApplied ? 'Applied' : 'Lines', 'AmountTooHigh', 'more is settled than the total');
  }
  return own;
}

/** A settlement by a receipt for both documents can be undone only by voiding the receipt. */
function refuseReceiptsUndone(fields: Fields, before: BooksDocument | null, note: BooksDocument): void {
  const now = appliedSums(note);
  for (const [guid, amount] of note.State === 'draft' ? [] : receiptSums(before)) {
    if (amount.lessThanOrEqualTo(now.get(guid) ?? 0)) continue;
    const least = `must have at least ${amount.toFixed(2)} for ${guid}`;
    fields.invalid('Applied', `${least}, settled by a receipt or payment: void that first`);
  }
}

/**
 * How much more a credit note settles of each document than before, by GUID: first what it gives back. What receipts
 * settle by it stays.
 */
function appliedChanges(before: BooksDocument | null, note: BooksDocument): [string, Decimal][] {
  const [now, then, kept] = [appliedSums(note), appliedSums(before), receiptSums(before)];
  const changes = [...new Set([...now.keys(), ...then.keys()])].map((guid): [string, Decimal] => [
    guid,
    Decimal.max(now.get(guid) ?? 0, kept.get(guid) ?? 0).minus(then.get(guid) ?? 0),
  ]);
  return changes.filter(([, amount]) => !amount.isZero()).sort(([, one], [, other]) => one.comparedTo(other));
}

/** How much a credit note settles of each document, by GUID; a draft settles nothing. */
function appliedSums(note: BooksDocument | null): Map<string, Decimal> {
  const amounts = new Map<string, Decimal>();
  if (note === null || note.State === 'draft') return amounts;
  for (const { Invoice, Bill, Amount } of (note['Applied'] ?? []) as readonly Applied[]) {
    const guid = Invoice ?? Bill ?? '';
    amounts.set(guid, (amounts.get(guid) ?? new Decimal(0)).plus(Amount.Amount));
  }
  return amounts;
}

/** How much of each document receipts for both settle by a credit note, by GUID: what it does not settle itself. */
function receiptSums(note: BooksDocument | null): Map<string, Decimal> {
  const amounts = note?.Settlements ? appliedSums(note) : new Map<string, Decimal>();
  for (const [guid, amount] of amounts) {
    const own = note?.Settlements?.find(({ By }) => By === guid);
    amounts.set(guid, amount.minus(own?.Amount.Amount ?? 0));
  }
  return amounts;
}
