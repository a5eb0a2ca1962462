import { type z } from 'zod';

import { type WriteWarning } from '../../../errors.js';
import { fromWirePath } from '../../../base/names.js';
import { bankTransaction, billPayment, invoicePayment, journalEntry } from '../../../records/index.js';
import { choice, itemOf, name, text } from '../../inputs/fields.js';
import {
  balanced,
  bankTransactionShape,
  billPaymentShape,
  invoicePaymentShape,
  journalEntryShape,
} from '../../inputs/movements.js';
import { type PlatformObject } from '../../platform.js';
import { XERO_TITLE } from '../client.js';
import {
  bodyOf,
  changesNamed,
  type PushResource,
  writeForm,
  type WriteRequest,
  type WriteTools,
} from '../../push.js';
import { inCents, lineAmountTypes, totalOfLines } from './bank-lines.js';
import { checked, oneText } from '../../inputs/checked.js';
import { journalLines, toXeroJournalLine } from './lines.js';
import { lineAccount } from './references.js';
import { JOURNAL_SUBJECTS, type Subjects } from './refusal.js';
import { createIn, creating, xeroPush } from './resource.js';
import { toNumber } from '../../values/json-number.js';
import { accountReference, rate, toXeroRate } from './values.js';

const { platform_id, account_id, amount, payment_date, raw_data } = invoicePaymentShape;
const payment = {
  platform_id,
  account_id,
  amount,
  payment_date,
  currency_rate: rate(),
  document_number: invoicePaymentShape.document_number,
  memo: text(255),
  raw_data,
};
const receipts = { ...payment, ...pick(invoicePaymentShape, 'invoice_id', 'credit_note_id') };
const remittances = { ...payment, ...pick(billPaymentShape, 'bill_id', 'credit_note_id') };

function pick<Shape, const Name extends keyof Shape>(shape: Shape, ...names: Name[]): Pick<Shape, Name> {
  return Object.fromEntries(names.map((one) => [one, shape[one]])) as Pick<Shape, Name>;
}

/** Requires a document or a credit note to refund, not both. */
function forOneThing<Input extends z.ZodObject>(input: Input, document: string): Input {
  return checked(input, (item, { missing, wrong }) => {
    const isForDocument = item[document] !== undefined;
    const isForNote = item['credit_note_id'] !== undefined;
    if (!isForDocument && !isForNote) missing([document], ' unless there is a credit note');
    if (isForDocument && isForNote) {
      wrong(['credit_note_id'], 'must not be sent with a document: a payment in Xero is for one of them');
    }
    oneText(item, ['document_number', 'memo'], { title: XERO_TITLE, wrong });
  });
}

const receipt = forOneThing(itemOf(receipts, ['account_id', 'amount']), 'invoice_id');
const remittance = forOneThing(itemOf(remittances, ['account_id', 'amount']), 'bill_id');
type Payment = Omit<z.output<typeof receipt>, 'invoice_id'>;

function paymentBody(item: Payment, documentId: string | undefined): PlatformObject {
  return bodyOf(item.raw_data, {
    Invoice: documentId === undefined ? undefined : { InvoiceID: documentId },
    CreditNote: item.credit_note_id === undefined ? undefined : { CreditNoteID: item.credit_note_id },
    Account: accountReference(item.account_id),
    Date: item.payment_date,
    Amount: toNumber(item.amount),
    CurrencyRate: toXeroRate(item.currency_rate),
    Reference: item.document_number ?? item.memo,
  });
}

const TYPES = { RECEIVE: 'RECEIVE', DEPOSIT: 'RECEIVE', SPEND: 'SPEND', EXPENSE: 'SPEND' } as const;

const movement = checked(
  itemOf(
    {
      ...pick(
        bankTransactionShape,
        'platform_id',
        'account_id',
        'from_account_id',
        'to_account_id',
        'contact_id',
        'currency_id',
        'amount',
        'transaction_date',
        'raw_data',
      ),
      currency_rate: rate(),
      type: choice(['RECEIVE', 'SPEND', 'TRANSFER', 'DEPOSIT', 'EXPENSE']),
    },
    ['amount', 'type'],
  ),
  (item, { missing, wrong }) => {
    const { bank, other } = endsOf(item);
    if (item[bank] === undefined && item.account_id === undefined) {
      missing([item.type === 'TRANSFER' ? bank : 'account_id'], ': the bank account');
    }
    if (item[other] === undefined && !hasLines(item)) missing([other], ': the account at the other end');
    const total = hasLines(item) ? totalOfLines(item.raw_data) : null;
    if (total !== null && total !== inCents(item.amount)) {
      wrong(['amount'], `must be the total of the lines in raw_data, ${total}`);
    }
    if (item.type !== 'TRANSFER' && item.contact_id === undefined) missing(['contact_id'], '');
    if (item.account_id !== undefined && item[bank] !== undefined && item[bank] !== item.account_id) {
      wrong([bank], 'must be the bank account');
    }
  },
);
type Movement = z.output<typeof movement>;

/** Which fields are the bank account and the other end. For a transfer, the bank account is the one it leaves. */
function endsOf({ type }: { readonly type: Movement['type'] }) {
  const isReceived = type === 'RECEIVE' || type === 'DEPOSIT';
  return isReceived
    ? ({ bank: 'to_account_id', other: 'from_account_id' } as const)
    : ({ bank: 'from_account_id', other: 'to_account_id' } as const);
}

/** Whether it is booked by lines of `raw_data`. */
function hasLines({ type, raw_data: extra }: Pick<Movement, 'type' | 'raw_data'>): boolean {
  return type !== 'TRANSFER' && extra?.['LineItems'] !== undefined;
}

/** Warns of what is not written as sent: fields that transfers lack, amounts whose tax only Xero knows. */
function unwritten(given: Readonly<Record<string, unknown>>): WriteWarning[] {
  const item = given as Movement;
  const warning = (name: keyof Movement, words: string) => ({ words, path: fromWirePath([name]) });
  if (item.type === 'TRANSFER') {
    return (['contact_id', 'currency_id', 'currency_rate'] as const)
      .filter((name) => item[name] !== undefined)
      .map((name) => warning(name, 'is not written: Xero does not store it for transfers'));
  }
  if (hasLines(item)) {
    if (totalOfLines(item.raw_data) !== null) return [];
    return [warning('amount', 'is not written: Xero books the total of the lines in raw_data')];
  }
  if (lineAmountTypes(item.raw_data) !== 'Exclusive') return [];
  return [
    warning('amount', 'is written as an amount without tax, to which Xero adds the tax of its account'),
  ];
}

/** Xero books lines: a single line for the whole amount, tax included, unless `raw_data` has lines. */
function movementRequest(item: Movement, tools: WriteTools): WriteRequest {
  const { bank, other } = endsOf(item);
  const bankAccount = accountReference(item.account_id ?? item[bank]);
  if (item.type === 'TRANSFER') {
    const transfer = bodyOf(item.raw_data, {
      FromBankAccount: bankAccount,
      ToBankAccount: accountReference(item.to_account_id),
      Amount: toNumber(item.amount),
      Date: item.transaction_date,
    });
    return { method: 'PUT', path: '/BankTransfers', body: { BankTransfers: [transfer] } };
  }
  const type = TYPES[item.type];
  const line = {
    Description: type === 'RECEIVE' ? 'Money received' : 'Money spent',
    Quantity: 1,
    UnitAmount: toNumber(item.amount),
    ...lineAccount(item[other], tools),
  };
  const booked = { LineAmountTypes: 'Inclusive', LineItems: [line], ...item.raw_data };
  const fields = {
    Type: type,
    BankAccount: bankAccount,
    Contact: { ContactID: item.contact_id },
    Date: item.transaction_date,
    CurrencyCode: item.currency_id,
    CurrencyRate: toXeroRate(item.currency_rate),
  };
  return createIn('BankTransactions', bodyOf(booked, fields));
}

const journal = balanced(
  itemOf(
    {
      ...pick(journalEntryShape, 'platform_id', 'posted_date', 'raw_data'),
      description: name(4000),
      journal_entry_type: choice(['BOTH', 'ACCRUAL']),
      journal_lines: journalLines,
    },
    ['description', 'journal_lines'],
  ),
  // With exclusive tax, Xero adds the tax itself and checks the balance including it.
  (item) => amountTypesOf(item) !== 'Exclusive',
);

interface Taxed {
  readonly journal_lines: readonly { readonly tax_id?: string | undefined }[];
  readonly raw_data?: PlatformObject | undefined;
}

/** Amounts exclude tax if any line has one. */
function amountTypesOf({ journal_lines, raw_data }: Taxed): unknown {
  const isTaxed = journal_lines.some(({ tax_id }) => tax_id !== undefined);
  return raw_data?.['LineAmountTypes'] ?? (isTaxed ? 'Exclusive' : undefined);
}

/** Without a status, Xero would create a draft. */
function journalBody(item: z.output<typeof journal>, tools: WriteTools): PlatformObject {
  return bodyOf(
    { Status: 'POSTED', ...item.raw_data },
    {
      Narration: item.description,
      Date: item.posted_date,
      LineAmountTypes: amountTypesOf(item),
      ShowOnCashBasisReports: item.journal_entry_type && item.journal_entry_type === 'BOTH',
      JournalLines: item.journal_lines.map((line) => toXeroJournalLine(line, tools)),
    },
  );
}

const paymentSubjects = (document: string): Subjects => [
  [/amount/i, 'amount'],
  [/\baccount\b|\bcode\b/i, 'account_id'],
  [/currency ?rate/i, 'currency_rate'],
  [/\bdate\b/i, 'payment_date'],
  [/credit ?note/i, 'credit_note_id'],
  [/\binvoice/i, document],
];

/** Payments, bank transactions and journal entries. */
export const movementPushes: readonly PushResource[] = [
  xeroPush({
    definition: invoicePayment,
    changesAlong: changesNamed('INVOICES', 'INVOICE_CREDIT_NOTES'),
    lists: ['Payments'],
    create: creating('Payments', receipt, (item) => paymentBody(item, item.invoice_id)),
    subjects: paymentSubjects('invoice_id'),
  }),
  xeroPush({
    definition: billPayment,
    changesAlong: changesNamed('BILLS', 'BILL_CREDIT_NOTES'),
    lists: ['Payments'],
    create: creating('Payments', remittance, (item) => paymentBody(item, item.bill_id)),
    subjects: paymentSubjects('bill_id'),
  }),
  xeroPush({
    definition: bankTransaction,
    lists: ['BankTransactions', 'BankTransfers'],
    create: { ...writeForm(movement, movementRequest), warnings: unwritten },
    subjects: [
      [/from ?bank ?account/i, 'from_account_id'],
      [/to ?bank ?account/i, 'to_account_id'],
      [/bank ?account/i, 'account_id'],
      [/contact/i, 'contact_id'],
      [/amount/i, 'amount'],
      [/currency ?rate/i, 'currency_rate'],
      [/currency/i, 'currency_id'],
      [/\bdate\b/i, 'transaction_date'],
      [/\btype\b/i, 'type'],
    ],
  }),
  xeroPush({
    definition: journalEntry,
    lists: ['ManualJournals'],
    create: creating('ManualJournals', journal, journalBody),
    subjects: JOURNAL_SUBJECTS,
  }),
];
