import { Decimal } from 'decimal.js';

import { type Account, type Organisation } from './domain.js';

/** Debits are positive, in the base currency. */
export interface Posting {
  readonly day: string;
  readonly account: Account;
  readonly amount: Decimal;
}

const ZERO = new Decimal(0);

/** The general ledger, which Xero keeps of everything and shows in reports. */
export function postingsOf(organisation: Organisation): Posting[] {
  const { accounts, documents, payments, advances, bankTransactions, manualJournals } = organisation;
  const by = (code: string): Account => {
    const account = accounts.find((one) => one.code === code);
    if (!account) throw new Error(`there is no account ${code}`);
    return account;
  };
  const [bank] = accounts.filter(({ type }) => type === 'BANK');
  const inBase = (amount: Decimal, { worth }: { readonly worth: string }) =>
    amount.times(worth).toDecimalPlaces(2);
  const control = (type: string) =>
    by(type.startsWith('ACCREC') || type.startsWith('RECEIVE') ? '610' : '800');
  const transfer = (day: string, to: Account, from: Account, amount: Decimal): Posting[] => [
    { day, account: to, amount },
    { day, account: from, amount: amount.negated() },
  ];
  return [
    ...documents
      .filter(({ type, status }) => type !== 'PURCHASEORDER' && ['AUTHORISED', 'PAID'].includes(status))
      .flatMap(({ type, date: day, lines, currency }) => {
        // Sales credit their accounts, and credit notes take it back.
        const sign = type === 'ACCREC' || type === 'ACCPAYCREDIT' ? -1 : 1;
        const own = lines.flatMap(({ account, net, tax }) => [
          { day, account, amount: inBase(net, currency).times(sign) },
          { day, account: by('820'), amount: inBase(tax, currency).times(sign) },
        ]);
        const total = own.reduce((sum, { amount }) => sum.plus(amount), ZERO);
        return [...own, { day, account: control(type), amount: total.negated() }];
      }),
    ...payments
      .filter(({ status }) => status === 'AUTHORISED')
      .flatMap(({ type, date, account, amount, document }) => {
        const worth = inBase(amount, document.currency);
        const isIn = type === 'ACCRECPAYMENT' || type === 'APCREDITPAYMENT';
        const isSale = type === 'ACCRECPAYMENT' || type === 'ARCREDITPAYMENT';
        const against = by(isSale ? '610' : '800');
        return isIn ? transfer(date, account, against, worth) : transfer(date, against, account, worth);
      }),
    ...advances.flatMap(({ type, date, total, currency }) => {
      const worth = inBase(total, currency);
      if (!bank) return [];
      return type.startsWith('RECEIVE')
        ? transfer(date, bank, control(type), worth)
        : transfer(date, control(type), bank, worth);
    }),
    ...bankTransactions
      .filter(({ status }) => status === 'AUTHORISED')
      .flatMap(({ type, date, account, total, currency }) => {
        const worth = inBase(total, currency);
        // Between banks the other half is a transaction of its own.
        if (type === 'RECEIVE-TRANSFER') return [{ day: date, account, amount: worth }];
        if (type === 'SPEND-TRANSFER') return [{ day: date, account, amount: worth.negated() }];
        return type === 'RECEIVE'
          ? transfer(date, account, by('260'), worth)
          : transfer(date, by('453'), account, worth);
      }),
    ...manualJournals
      .filter(({ status }) => status === 'POSTED')
      .flatMap(({ date: day, lines }) =>
        lines.flatMap(({ account, amount, tax }) => [
          { day, account, amount },
          { day, account: by('820'), amount: tax },
        ]),
      ),
  ];
}
