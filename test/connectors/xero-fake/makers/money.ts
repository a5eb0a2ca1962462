import { Decimal } from 'decimal.js';

import {
  type Account,
  type BankTransaction,
  type BankTransfer,
  type Contact,
  type Currency,
  type ManualJournal,
  type TrackingCategory,
} from '../domain.js';
import { makeAttachments } from './documents.js';
import { dayOf, guidOf, indexes, kept, nth } from './kept.js';

interface BankSources {
  readonly accounts: readonly Account[];
  readonly contacts: readonly Contact[];
  readonly currencies: readonly Currency[];
}

export function makeBankTransactions({ accounts, contacts, currencies }: BankSources): BankTransaction[] {
  const banks = accounts.filter(({ type }) => type === 'BANK');
  return indexes(120).map((index) => {
    const account = nth(banks, index);
    return {
      ...kept(
        guidOf(`bank transaction ${index}`),
        index,
        nth(['AUTHORISED', 'AUTHORISED', 'DELETED', 'VOIDED', 'AUTHORISED'], index),
      ),
      type: index % 2 === 0 ? 'RECEIVE' : 'SPEND',
      account,
      contact: nth(contacts, index),
      currency: account.currency ?? nth(currencies, 0),
      date: dayOf(index + 5),
      total: new Decimal(index * 7 + 3).plus('0.45'),
      reference: `Statement ${index}`,
    };
  });
}

/** Each is a payment out of one account and one into the other as well. */
export function makeBankTransfers({ accounts, currencies }: BankSources): BankTransfer[] {
  const [from, to] = accounts.filter(({ type }) => type === 'BANK');
  if (!from || !to) throw new Error('a transfer needs two bank accounts');
  return indexes(15).map((index) => {
    const status = index % 5 === 4 ? 'DELETED' : 'AUTHORISED';
    const amount = new Decimal(index + 20).plus('0.5');
    const leg = (type: BankTransaction['type'], account: Account): BankTransaction => ({
      ...kept(guidOf(`bank transfer ${index} ${type}`), index, status),
      type,
      account,
      contact: null,
      currency: nth(currencies, 0),
      date: dayOf(index),
      total: amount,
      reference: '',
    });
    const own = kept(guidOf(`bank transfer ${index}`), index, status);
    return {
      ...own,
      from: leg('SPEND-TRANSFER', from),
      to: leg('RECEIVE-TRANSFER', to),
      amount,
      date: dayOf(index),
      createdAt: own.updatedAt,
      reference: `Transfer ${index}`,
    };
  });
}

interface JournalSources {
  readonly accounts: readonly Account[];
  readonly trackingCategories: readonly TrackingCategory[];
}

export function makeManualJournals({ accounts, trackingCategories }: JournalSources): ManualJournal[] {
  const booked = accounts.filter(
    ({ type, code, isControl }) => type !== 'BANK' && !isControl && /^\d+$/.test(code ?? ''),
  );
  const [category] = trackingCategories;
  return indexes(60).map((index) => {
    // Every other pair in turn: so each state has each of them.
    const amountTypes = nth(['NoTax', 'Inclusive', 'Exclusive'] as const, Math.floor(index / 2));
    const totals = [
      new Decimal(index + 1).plus('0.1'),
      new Decimal('0.2'),
      new Decimal(-index - 1).minus('0.3'),
    ];
    const taxes = (amountTypes === 'NoTax' ? ['0', '0', '0'] : ['0.1', '0', '-0.2']).map(
      (tax) => new Decimal(tax),
    );
    return {
      ...kept(
        guidOf(`manual journal ${index}`),
        index,
        nth(['POSTED', 'POSTED', 'DRAFT', 'DELETED', 'VOIDED', 'ARCHIVED'], index),
      ),
      narration: `Accruals ${index}`,
      date: dayOf(index),
      amountTypes,
      onCashBasis: index % 4 !== 0,
      lines: totals.map((total, place) => ({
        account: nth(booked, index + place),
        description: `Line ${place} of journal ${index}`,
        amount: total.minus(nth(taxes, place)),
        tax: nth(taxes, place),
        tags: category && place === 1 ? [{ category, option: nth(category.options, index) }] : [],
      })),
      attachments: index % 20 === 1 ? makeAttachments(`journal ${index}`, 1) : [],
    };
  });
}
