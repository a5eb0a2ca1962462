import { type z } from 'zod';

import { bankTransaction, billPayment, invoicePayment, journalEntry } from '../../../../records/index.js';
import { checked } from '../../../inputs/checked.js';
import { choice, itemOf } from '../../../inputs/fields.js';
import {
  balanced,
  bankTransactionShape,
  billPaymentShape,
  invoicePaymentShape,
  journalEntryShape,
} from '../../../inputs/movements.js';
import { type PlatformObject } from '../../../platform.js';
import { bodyOf, changesNamed, type PushResource, type WriteTools } from '../../../push.js';
import { booksJournalLines, toBooksJournalLine } from './lines.js';
import { booksPush, creating } from './resource.js';
import { codesTo, toBooksDay, wordFor } from './tools.js';
import { JOURNAL_NATURES, PAYMENT_MEANS } from './words.js';

const journal = balanced(
  itemOf(
    {
      ...journalEntryShape,
      journal_lines: booksJournalLines,
      journal_entry_type: choice(['STANDARD', 'ADJUSTING', 'RECURRING']),
    },
    ['journal_lines'],
  ),
);

function journalBody(item: z.output<typeof journal>, tools: WriteTools): PlatformObject {
  const codes = codesTo(tools);
  return bodyOf(item.raw_data, {
    Number: item.document_number,
    Date: toBooksDay(item.posted_date),
    Text: item.description,
    Nature: wordFor(JOURNAL_NATURES)(item.journal_entry_type),
    Currency: codes.currency(item.currency_id),
    ExchangeRate: item.currency_rate,
    Lines: item.journal_lines.map((line) => toBooksJournalLine(line, codes)),
  });
}

type Payment = Omit<z.output<typeof receipt>, 'invoice_id'>;
const receipt = oneOfThem(itemOf(invoicePaymentShape, ['account_id', 'amount']), 'invoice_id');
const payment = oneOfThem(itemOf(billPaymentShape, ['account_id', 'amount']), 'bill_id');

/** A payment is for a document, a credit note, or both if the credit settles the document. */
function oneOfThem<Input extends z.ZodObject>(input: Input, document: string): Input {
  return checked(input, (item, { missing }) => {
    const given = item as Record<string, unknown>;
    if (given[document] === undefined && given['credit_note_id'] === undefined)
      missing([document], ' unless there is a credit note');
  });
}

function paymentBody(item: Payment, tools: WriteTools, own: PlatformObject): PlatformObject {
  const codes = codesTo(tools);
  return bodyOf(item.raw_data, {
    Number: item.document_number,
    CreditNote: item.credit_note_id,
    AccountNumber: codes.account(item.account_id),
    Amount: item.amount,
    Currency: codes.currency(item.currency_id),
    ExchangeRate: item.currency_rate,
    PaymentMeans: wordFor(PAYMENT_MEANS)(item.payment_mode),
    Text: item.memo,
    Date: toBooksDay(item.payment_date),
    ...own,
  });
}

const NATURES = {
  DEPOSIT: { Kind: 'receive', Nature: 'deposit' },
  EXPENSE: { Kind: 'spend', Nature: 'expense' },
  CREDIT_CARD: { Kind: 'spend', Nature: 'card' },
  FEE: { Kind: 'spend', Nature: 'fee' },
  TRANSFER: { Kind: 'transfer', Nature: 'transfer' },
} as const;

const movement = checked(
  itemOf(
    {
      ...bankTransactionShape,
      type: choice(['DEPOSIT', 'EXPENSE', 'CREDIT_CARD', 'FEE', 'TRANSFER']),
      status: choice(['PENDING', 'CLEARED']),
    },
    ['account_id', 'amount', 'type'],
  ),
  ({ type, account_id, from_account_id, to_account_id }, { missing }) => {
    if (type !== 'TRANSFER') return;
    if (to_account_id === undefined) {
      missing(['to_account_id'], ': the account that a transfer goes to');
    } else if (from_account_id === undefined && to_account_id === account_id) {
      missing(['from_account_id'], ': the account that a transfer to account_id comes from');
    }
  },
);

/** Books stores both ends of a movement; `account_id` is the account on whose statement it appears. */
function movementBody(item: z.output<typeof movement>, tools: WriteTools): PlatformObject {
  const codes = codesTo(tools);
  const own = codes.account(item.account_id);
  const { Kind, Nature } = NATURES[item.type];
  return bodyOf(item.raw_data, {
    Kind,
    Nature,
    StatementAccountNumber: own,
    FromAccountNumber: codes.account(item.from_account_id) ?? (Kind === 'receive' ? undefined : own),
    ToAccountNumber: codes.account(item.to_account_id) ?? (Kind === 'receive' ? own : undefined),
    Partner: item.contact_id,
    Amount: item.amount,
    Currency: codes.currency(item.currency_id),
    ExchangeRate: item.currency_rate,
    Date: toBooksDay(item.transaction_date),
    State: item.status?.toLowerCase(),
  });
}

const PAYMENT_NAMES = { Date: 'payment_date', CreditNote: 'credit_note_id' };

/** Payments, bank transactions and journal entries. */
export const movementPushes: readonly PushResource[] = [
  booksPush({
    definition: invoicePayment,
    changesAlong: changesNamed('INVOICES', 'INVOICE_CREDIT_NOTES'),
    kind: 'CustomerReceipts',
    create: creating('CustomerReceipts', receipt, (item, tools) =>
      paymentBody(item, tools, { ReceiptNo: item.payment_id, Invoice: item.invoice_id }),
    ),
    update: null,
    names: { ...PAYMENT_NAMES, ReceiptNo: 'payment_id', Invoice: 'invoice_id' },
  }),
  booksPush({
    definition: billPayment,
    changesAlong: changesNamed('BILLS', 'BILL_CREDIT_NOTES'),
    kind: 'SupplierPayments',
    create: creating('SupplierPayments', payment, (item, tools) =>
      paymentBody(item, tools, { RemittanceNo: item.payment_id, Bill: item.bill_id }),
    ),
    update: null,
    names: { ...PAYMENT_NAMES, RemittanceNo: 'payment_id', Bill: 'bill_id' },
  }),
  booksPush({
    definition: bankTransaction,
    kind: 'BankMovements',
    create: creating('BankMovements', movement, movementBody),
    update: null,
    names: {
      Kind: 'type',
      Nature: 'type',
      Date: 'transaction_date',
      FromAccountNumber: 'from_account_id',
      ToAccountNumber: 'to_account_id',
      StatementAccountNumber: 'account_id',
    },
  }),
  booksPush({
    definition: journalEntry,
    kind: 'Journals',
    create: creating('Journals', journal, journalBody),
    update: null,
    names: {
      Text: 'description',
      Lines: 'journal_lines',
      Nature: 'journal_entry_type',
      Partner: 'contact_id',
      Debit: 'net_amount',
      Credit: 'net_amount',
    },
  }),
];
