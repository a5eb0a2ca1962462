import { Decimal } from 'decimal.js';

import { type QuickbooksCompany } from '../company.js';
import { type Deposit, type JournalLine } from '../domain.js';
import { activeOf } from './documents.js';
import { dayOf, indexes, kept, nth } from './kept.js';
import { accountNamed } from './settings.js';

const DEPOSITS = 14;
const TRANSFERS = 12;
const CARD_PAYMENTS = 9;
const JOURNALS = 26;

/** Of money of its own, and of payments that wait in undeposited funds. */
export function makeDeposits(company: QuickbooksCompany): void {
  const { shelves, home } = company;
  const waiting = shelves.Payment.filter(
    ({ account, currency }) => account?.name === 'Undeposited Funds' && currency.isHome,
  );
  for (const index of indexes(DEPOSITS)) {
    const payment = index % 3 === 0 ? waiting[index / 3] : undefined;
    const line = {
      id: '1',
      account: accountNamed(company, index % 2 === 0 ? 'Interest Earned' : 'Opening Balance Equity'),
      contact: index % 4 === 1 ? nth(activeOf(shelves.Customer), index) : null,
      amount: new Decimal(`${200 + index}.55`),
      description: index % 5 === 0 ? 'Opening balance' : null,
    };
    const deposit: Deposit = {
      ...kept(company.nextTransactionId(), index),
      account: accountNamed(company, index % 4 === 3 ? 'Savings' : 'Checking'),
      date: dayOf(index * 3),
      currency: home,
      lines: [line, ...(index % 4 === 2 ? [{ ...line, id: '2', description: 'Once more' }] : [])],
      payments: payment ? [{ id: payment.id, amount: payment.total }] : [],
      note: index % 3 === 1 ? `Deposit ${index}` : null,
    };
    shelves.Deposit.push(deposit);
  }
}

export function makeTransfers(company: QuickbooksCompany): void {
  const [checking, savings] = ['Checking', 'Savings'].map((name) => accountNamed(company, name));
  const card = accountNamed(company, 'Mastercard');
  if (!checking || !savings) throw new Error('there is no bank');
  for (const index of indexes(TRANSFERS)) {
    company.shelves.Transfer.push({
      ...kept(company.nextTransactionId(), index),
      from: index % 3 === 1 ? savings : checking,
      to: index % 3 === 0 ? savings : index % 3 === 1 ? checking : card,
      date: dayOf(index * 7),
      amount: new Decimal(index === 5 ? 0 : `${120 + index}.00`),
      note: index === 5 ? 'Voided' : index % 2 === 0 ? `Move ${index}` : null,
    });
  }
}

export function makeCardPayments(company: QuickbooksCompany): void {
  const { shelves } = company;
  const vendors = activeOf(shelves.Vendor);
  for (const index of indexes(CARD_PAYMENTS)) {
    shelves.CreditCardPayment.push({
      ...kept(company.nextTransactionId(), index),
      bank: accountNamed(company, index % 2 === 0 ? 'Checking' : 'Savings'),
      card: accountNamed(company, 'Mastercard'),
      vendor: index % 3 === 2 ? nth(vendors, index) : null,
      date: dayOf(index * 11),
      amount: new Decimal(`${80 + index}.07`),
      note: index % 4 === 0 ? `Card ${index}` : null,
    });
  }
}

export function makeJournals(company: QuickbooksCompany): void {
  const { shelves, home } = company;
  const foreign = shelves.CompanyCurrency.filter(({ active }) => active);
  for (const index of indexes(JOURNALS)) {
    const currency = index % 6 === 5 ? nth(foreign, index) : home;
    const amount = new Decimal(currency.digits === 0 ? 12_000 + index : `${50 + index}.45`);
    const side = (at: number, side: JournalLine['side'], share: Decimal): JournalLine => ({
      id: String(at),
      side,
      account: accountNamed(
        company,
        nth(['Truck', 'Notes Payable', 'Opening Balance Equity', 'Fuel'], index + at),
      ),
      amount: share,
      description: (index + at) % 3 === 0 ? null : 'Sprinkler heads',
      contact:
        (index + at) % 4 === 0
          ? nth((index + at) % 8 === 0 ? shelves.Customer : shelves.Vendor, index)
          : null,
      class: (index + at) % 5 === 0 ? nth(shelves.Class, index) : null,
      department: (index + at) % 7 === 0 ? nth(shelves.Department, index) : null,
    });
    const isSplit = index % 4 === 3;
    const rest = amount.minus(20);
    shelves.JournalEntry.push({
      ...kept(company.nextTransactionId(), index),
      number: index % 5 === 4 ? null : `JE-${index}`,
      date: dayOf(index * 5),
      currency,
      note: index % 3 === 0 ? `Month ${index}` : null,
      isAdjustment: index % 8 === 0,
      lines: isSplit
        ? [side(0, 'Debit', amount), side(1, 'Credit', new Decimal(20)), side(2, 'Credit', rest)]
        : [side(0, 'Debit', amount), side(1, 'Credit', amount)],
    });
  }
}
