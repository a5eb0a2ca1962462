import { Decimal } from 'decimal.js';
import type { Change } from '../../store/change.js';
import type { BooksKind } from '../kinds.js';
import type { BooksDocument } from '../objects.js';
import { fromStored, toStored } from '../stored.js';
import { moneyOf } from '../values.js';
import { withSettlement } from './control.js';
import type { Problems } from './fields.js';
import { post } from './post.js';

/** Kinds that can be settled, with the field for the remaining amount and the names of the states. */
const SETTLED = {
  SalesInvoices: { left: 'Outstanding', none: 'settled', some: 'part-settled', all: 'sent' },
  PurchaseBills: { left: 'Outstanding', none: 'settled', some: 'part-settled', all: 'sent' },
  SalesCreditNotes: { left: 'Remaining', none: 'used', some: 'part-used', all: 'open' },
  SupplierCredits: { left: 'Remaining', none: 'used', some: 'part-used', all: 'open' },
} as const;

export type SettledKind = keyof typeof SETTLED;

export const isSettledKind = (kind: BooksKind): kind is SettledKind => Object.hasOwn(SETTLED, kind);

/** The remaining amount of a document. */
export const leftOf = (kind: SettledKind, document: BooksDocument): Decimal =>
  new Decimal(document[SETTLED[kind].left]?.Amount ?? 0);

/**
 * A document with its remaining amount set to `left`, in the matching state; drafts and voided documents keep theirs.
 */
export function withLeft(kind: SettledKind, document: BooksDocument, left: Decimal): BooksDocument {
  const { left: field, none, some, all } = SETTLED[kind];
  const total = new Decimal(document.GrandTotal.Amount);
  const unsettled = document.State === 'overdue' ? 'overdue' : all;
  const open = left.isZero() && !total.isZero() ? none : left.equals(total) ? unsettled : some;
  return {
    ...document,
    State: ['draft', 'voided'].includes(document.State) ? document.State : open,
    [field]: moneyOf(document.State === 'voided' ? 0 : left, document.Currency),
  };
}

/** A document of which `by` settles an amount; a negative one reverses a settlement. */
export function settledWith(
  kind: SettledKind,
  document: BooksDocument,
  { by, amount }: { readonly by: string; readonly amount: Decimal },
): BooksDocument {
  const left = leftOf(kind, document);
  const settlements = withSettlement(document, { by, amount, left });
  return withLeft(
    kind,
    settlements ? { ...document, Settlements: settlements } : document,
    left.minus(amount),
  );
}

interface Settling {
  readonly kind: SettledKind;
  readonly guid: string;
  /** The amount to settle; negative reverses a settlement. */
  readonly amount: Decimal;
  readonly currency: string;
  /** The receipt, payment or credit note that settles it. */
  readonly by: string;
  /** The field of the body that the amount was given in. */
  readonly field: string;
}

/**
 * Subtracts an amount from what is left of a stored document. Records a problem if it is too much, on either side, or
 * cannot be settled.
 */
export async function settleDocument(
  change: Change,
  { kind, guid, amount, currency, by, field }: Settling,
  problems: Problems,
): Promise<void> {
  const row = await change.find(kind, guid);
  if (!row || amount.isZero()) return;
  const document = fromStored<BooksDocument>(row);
  if (['draft', 'voided'].includes(document.State)) {
    problems.add(field, 'Invalid', `${document.Number ?? guid} is ${document.State}`);
    return;
  }
  if (amount.greaterThan(leftOf(kind, document))) {
    problems.add(field, 'AmountTooHigh', `only ${leftOf(kind, document).toFixed(2)} is left of it`);
    return;
  }
  const total = new Decimal(document.GrandTotal.Amount);
  const given = total.minus(leftOf(kind, document));
  if (amount.negated().greaterThan(given)) {
    const words = `only ${given.toFixed(2)} of ${document.Number ?? guid} is settled and can be given back`;
    problems.add(field, 'AmountTooHigh', words);
    return;
  }
  if (!problems.isEmpty) return;
  if (amount.isPositive() && document.Currency !== currency) {
    const words = `must be of documents in ${currency}: ${document.Number ?? guid} is in ${document.Currency}`;
    problems.add(field, 'Invalid', `${field} ${words}`);
    return;
  }
  const settled = {
    ...settledWith(kind, document, { by, amount }),
    ChangedOn: change.now.toISOString(),
  };
  await change.update(toStored(kind, settled));
  await post(change, kind, settled);
}
