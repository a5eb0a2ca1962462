import type { z } from 'zod';

import { difference, sum } from '../values/decimals.js';
import { checked } from './checked.js';
import { aboveZero, choice, day, itemOf, positive, rawData, reference, text } from './fields.js';
import { journalLineShape, linesOf } from './lines.js';

/** Write items of payments, bank transactions and journal entries (Reference 4.2, G4). */

export const journalEntryShape = {
  platform_id: text(200),
  document_number: text(100),
  posted_date: day(),
  description: text(),
  journal_entry_type: text(50),
  currency_id: reference('CURRENCIES'),
  currency_rate: aboveZero(),
  journal_lines: linesOf(itemOf(journalLineShape, ['net_amount']), 2),
  raw_data: rawData(),
};

/** Requires debits to equal credits, except for items whose lines are not all that is booked. */
export function balanced<Entry extends z.ZodObject>(
  entry: Entry,
  isWhole: (item: z.output<Entry>) => boolean = () => true,
): Entry {
  return checked(entry, (item, { wrong }) => {
    if (!isWhole(item)) return;
    const lines = (item as { journal_lines?: readonly Side[] }).journal_lines ?? [];
    const side = (type: string) =>
      lines
        .filter((line) => line.type === type)
        .reduce<string | null>((total, line) => sum(total, line.net_amount), '0');
    const [debit, credit] = [side('DEBIT'), side('CREDIT')];
    if (difference(debit, credit) === '0') return;
    wrong(['journal_lines'], `must balance: debits are ${debit}, credits ${credit}`);
  });
}

interface Side {
  readonly type?: string;
  readonly net_amount: string;
}

const payment = {
  platform_id: text(200),
  payment_id: text(100),
  account_id: reference('ACCOUNTS'),
  amount: positive(),
  payment_mode: text(100),
  currency_id: reference('CURRENCIES'),
  currency_rate: aboveZero(),
  memo: text(),
  payment_date: day(),
  contact_id: reference('CONTACTS'),
  document_number: text(100),
  raw_data: rawData(),
};

export const invoicePaymentShape = {
  ...payment,
  invoice_id: reference('INVOICES'),
  credit_note_id: reference('INVOICE_CREDIT_NOTES'),
};

export const billPaymentShape = {
  ...payment,
  bill_id: reference('BILLS'),
  credit_note_id: reference('BILL_CREDIT_NOTES'),
};

export const bankTransactionShape = {
  platform_id: text(200),
  account_id: reference('ACCOUNTS'),
  from_account_id: reference('ACCOUNTS'),
  to_account_id: reference('ACCOUNTS'),
  contact_id: reference('CONTACTS'),
  currency_id: reference('CURRENCIES'),
  currency_rate: aboveZero(),
  amount: positive(),
  type: text(50),
  debit_or_credit: choice(['DEBIT', 'CREDIT']),
  status: text(50),
  transaction_date: day(),
  raw_data: rawData(),
};
