import { Decimal } from 'decimal.js';
import { cents, money, ZERO } from '../money.js';
import type { Random } from '../random.js';
import { TODAY } from '../time.js';
import type { DemoContact } from './contacts.js';
import { named, type Side } from './side.js';
import type { DemoDocument, DemoNote } from './trade.js';

/** A payment or a credit note that settles a document; the refund of a credit note settles none. */
export interface DemoPayment {
  readonly platformId: string;
  readonly number: string;
  readonly contact: DemoContact;
  readonly documentId: string | null;
  readonly noteId: string | null;
  readonly accountId: string;
  readonly mode: string;
  readonly amount: Decimal;
  readonly paid: number;
}

type Draft = Omit<DemoPayment, 'platformId' | 'number'>;

/** The amount left of each document and credit note, and the payments that settled the rest. */
export interface Settlement {
  readonly payments: readonly DemoPayment[];
  /** Amount due of a document, or amount remaining of a credit note. */
  amountLeft(paper: DemoDocument | DemoNote): Decimal;
  status(paper: DemoDocument | DemoNote): string;
}

export function settle(
  random: Random,
  side: Side,
  { documents, notes }: { documents: readonly DemoDocument[]; notes: readonly DemoNote[] },
): Settlement {
  const credits = notes.flatMap((note) => useCredit(side, note));
  const settledByCredits = amountsBySettled(credits);
  const cash = documents.flatMap((document) => {
    const credited = settledByCredits.get(document.platformId) ?? ZERO;
    return payInCash(random, side, document, new Decimal(document.totals.totalAmount).minus(credited));
  });
  const payments = [...cash, ...credits]
    .sort((one, other) => one.paid - other.paid)
    .map((payment, index) => ({ ...named(side, 'payment', index), ...payment }));
  const settled = amountsBySettled(payments);
  const amountLeft = (paper: DemoDocument | DemoNote): Decimal => {
    if (('plan' in paper ? paper.plan : paper.use) === 'VOID') return ZERO;
    return new Decimal(paper.totals.totalAmount).minus(settled.get(paper.platformId) ?? ZERO);
  };
  return {
    payments,
    amountLeft,
    status: (paper) => statusOf(paper, amountLeft(paper)),
  };
}

/** Amounts paid or credited, by the platform id of the document and of the credit note. */
function amountsBySettled(payments: readonly Draft[]): Map<string, Decimal> {
  const amounts = new Map<string, Decimal>();
  for (const { documentId, noteId, amount } of payments) {
    for (const id of [documentId, noteId]) {
      if (id !== null) amounts.set(id, (amounts.get(id) ?? ZERO).plus(amount));
    }
  }
  return amounts;
}

function statusOf(paper: DemoDocument | DemoNote, left: Decimal): string {
  const state = 'plan' in paper ? paper.plan : paper.use;
  if (state === 'DRAFT' || state === 'VOID') return state;
  if (left.isZero()) return 'PAID';
  if ('due' in paper && paper.due < TODAY) return 'OVERDUE';
  return money(left) === paper.totals.totalAmount ? 'SUBMITTED' : 'PARTIALLY_PAID';
}

function useCredit(side: Side, note: DemoNote): Draft[] {
  const { contact, source, use, posted } = note;
  const total = new Decimal(note.totals.totalAmount);
  const common = { contact, noteId: note.platformId, paid: Math.min(posted + 1, TODAY) };
  const applied = {
    ...common,
    documentId: source.platformId,
    accountId: side.controlAccountId,
    mode: 'CREDIT_NOTE',
  };
  switch (use) {
    case 'APPLIED':
      return [{ ...applied, amount: total }];
    case 'HALF':
      return [{ ...applied, amount: cents(total.div(2)) }];
    case 'REFUNDED':
      return [{ ...common, documentId: null, accountId: 'acc-1010', mode: 'BANK_TRANSFER', amount: total }];
    case 'OPEN':
    case 'DRAFT':
    case 'VOID':
      return [];
    default:
      return use satisfies never;
  }
}

function payInCash(random: Random, side: Side, document: DemoDocument, rest: Decimal): Draft[] {
  const shares = { DRAFT: [], VOID: [], OPEN: [], PART: ['0.4'], PAID: ['1'], TWICE: ['0.5', '1'] }[
    document.plan
  ];
  let left = rest;
  return shares.flatMap((share, index) => {
    const amount = cents(left.times(share));
    left = left.minus(amount);
    if (amount.isZero()) return [];
    const mode = random.pick(['BANK_TRANSFER', 'BANK_TRANSFER', 'CREDIT_CARD', 'CHEQUE', 'CASH'] as const);
    const account = {
      BANK_TRANSFER: 'acc-1010',
      CHEQUE: 'acc-1010',
      CASH: 'acc-1040',
      CREDIT_CARD: side.cardAccountId,
    };
    const paid = Math.min(document.posted + 3 + index * 9 + random.integer(0, 8), TODAY);
    const { contact, platformId } = document;
    return [{ contact, documentId: platformId, noteId: null, accountId: account[mode], mode, amount, paid }];
  });
}
