import { Decimal } from 'decimal.js';

import { type UnifiedRecord } from '../../../../src/connectors/pull.js';
import {
  type Advance,
  type Allocation,
  type BankTransaction,
  type BankTransfer,
  type ManualJournal,
  type Organisation,
  type Payment,
} from '../domain.js';

function expectedPayment(payment: Payment): UnifiedRecord {
  const { document, reference } = payment;
  const words = reference === '' ? null : reference;
  return {
    platformId: payment.id,
    values: {
      paymentId: payment.id,
      [nameOfPaid(payment.type)]: document.id,
      accountId: payment.account.id,
      contactId: document.contact.id,
      currencyId: document.currency.id,
      currencyCode: document.currency.id,
      currencyRate: document.currency.worth,
      amount: payment.amount.toFixed(),
      documentNumber: words,
      memo: words,
      paymentDate: payment.date,
      updatedAt: payment.updatedAt.toISOString(),
    },
  };
}

/** Of an advance, what it paid. */
export const expectedPayments = (object: Payment | Advance): UnifiedRecord[] =>
  'allocated' in object
    ? object.allocated.map((one) => expectedAllocation(object, one))
    : [expectedPayment(object)];

function expectedAllocation(advance: Advance, { id, document, amount, date }: Allocation): UnifiedRecord {
  const { contact, currency, reference } = advance;
  return {
    platformId: id,
    values: {
      paymentId: id,
      [advance.type.startsWith('RECEIVE') ? 'invoiceId' : 'billId']: document.id,
      contactId: contact.id,
      currencyId: currency.id,
      currencyCode: currency.id,
      currencyRate: currency.worth,
      amount: amount.toFixed(),
      documentNumber: reference,
      memo: reference,
      paymentDate: date,
      updatedAt: advance.updatedAt.toISOString(),
    },
  };
}

function nameOfPaid(type: Payment['type']): string {
  if (type === 'ACCRECPAYMENT') return 'invoiceId';
  return type === 'ACCPAYPAYMENT' ? 'billId' : 'creditNoteId';
}

export const expectedBanked = (object: BankTransaction | BankTransfer): UnifiedRecord =>
  'from' in object ? expectedTransfer(object) : expectedTransaction(object);

function expectedTransaction(transaction: BankTransaction): UnifiedRecord {
  const { currency } = transaction;
  return {
    platformId: transaction.id,
    values: {
      accountId: transaction.account.id,
      contactId: transaction.contact?.id,
      currencyId: currency.id,
      currencyCode: currency.id,
      currencyRate: currency.worth,
      amount: transaction.total.toFixed(),
      debitOrCredit: transaction.type.startsWith('RECEIVE') ? 'CREDIT' : 'DEBIT',
      type: transaction.type,
      status: transaction.status === 'VOIDED' ? 'VOID' : transaction.status,
      transactionDate: transaction.date,
      updatedAt: transaction.updatedAt.toISOString(),
    },
  };
}

function expectedTransfer(transfer: BankTransfer): UnifiedRecord {
  return {
    platformId: `BankTransfer:${transfer.id}`,
    values: {
      fromAccountId: transfer.from.account.id,
      toAccountId: transfer.to.account.id,
      amount: transfer.amount.toFixed(),
      type: 'TRANSFER',
      status: transfer.status === 'VOIDED' ? 'VOID' : transfer.status,
      transactionDate: transfer.date,
      updatedAt: transfer.createdAt.toISOString(),
    },
  };
}

const STATUSES: Readonly<Record<string, string>> = {
  POSTED: 'POSTED',
  DRAFT: 'DRAFT',
  VOIDED: 'VOID',
  ARCHIVED: 'ARCHIVED',
};

export function expectedJournal(journal: ManualJournal, { currencies }: Organisation): UnifiedRecord {
  const base = currencies.find(({ worth }) => worth === '1');
  const debits = journal.lines.filter(({ amount }) => amount.isPositive());
  return {
    platformId: journal.id,
    values: {
      amount: debits
        .reduce((total, { amount, tax }) => total.plus(amount).plus(tax), new Decimal(0))
        .toFixed(),
      currencyId: base?.id,
      currencyCode: base?.id,
      currencyRate: '1',
      status: STATUSES[journal.status],
      description: journal.narration,
      journalEntryType: journal.onCashBasis ? 'both' : 'accrual',
      postedDate: journal.date,
      updatedAt: journal.updatedAt.toISOString(),
    },
    lines: {
      journalLines: journal.lines.map((line) => ({
        platformId: null,
        values: {
          journalEntryId: journal.id,
          accountId: line.account.id,
          accountCode: line.account.code,
          description: line.description,
          type: line.amount.isPositive() ? 'DEBIT' : 'CREDIT',
          netAmount: line.amount.abs().toFixed(),
          taxAmount: line.tax.abs().toFixed(),
          taxId: line.tax.isZero() ? 'NONE' : 'INPUT2',
          trackingCategoryIds: line.tags.map(({ option }) => option.id),
        },
      })),
    },
  };
}
