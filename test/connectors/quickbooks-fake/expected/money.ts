import { type UnifiedRecord } from '../../../../src/connectors/pull.js';
import {
  type Applied,
  type Attachable,
  type CardPayment,
  type Currency,
  type Deposit,
  type JournalEntry,
  type Payment,
  type TradeDocument,
  type Transfer,
} from '../domain.js';
import { isVoid, kindId, receiptPaymentIds } from '../models.js';
import { sumOf, totalOf } from '../totals.js';
import { unappliedOf } from '../unapplied.js';
import { voucherOf } from '../vouchers.js';
import { contactIdOf } from './documents.js';

const currencyOf = ({ code, rate }: Currency) => ({
  currencyId: code,
  currencyCode: code,
  currencyRate: rate.toFixed(),
});

const NAMES: Readonly<Record<string, string>> = {
  Invoice: 'invoiceId',
  Bill: 'billId',
  CreditMemo: 'creditNoteId',
  VendorCredit: 'creditNoteId',
};

/** One for each of what was paid, and one for what was not used. */
export function expectedPayments(payment: Payment | TradeDocument): UnifiedRecord[] {
  if (!('applied' in payment)) return expectedReceipt(payment);
  if (isVoid(payment)) return [];
  const parts = payment.applied.map((part) => recordOf(payment, part));
  const left = unappliedOf(payment);
  if (parts.length > 0 && left.isZero()) return parts;
  return [...parts, { platformId: payment.id, values: { ...sharedValues(payment), amount: left.toFixed() } }];
}

/** A receipt is paid on the spot; a refund pays out what its credit note gives. */
const expectedReceipt = (document: TradeDocument): UnifiedRecord[] =>
  receiptPaymentIds(document).map((platformId) => ({
    platformId,
    values: {
      paymentId: platformId,
      [document.entity === 'SalesReceipt' ? 'invoiceId' : 'creditNoteId']: platformId,
      accountId: document.receipt?.account.id,
      contactId: document.contact && kindId(document.contact),
      ...currencyOf(document.currency),
      amount: totalOf(document).toFixed(),
      paymentMode: document.receipt?.method?.name,
      documentNumber: document.receipt?.reference,
      memo: document.note,
      paymentDate: document.date,
      updatedAt: document.updatedAt.toISOString(),
    },
  }));

function recordOf(payment: Payment, { type, id, amount }: Applied): UnifiedRecord {
  const name = NAMES[type];
  return {
    platformId: `${payment.id}:${type.toLowerCase()}:${id}`,
    values: {
      ...sharedValues(payment),
      amount: amount.toFixed(),
      ...(name === undefined ? {} : { [name]: id }),
    },
  };
}

const sharedValues = (payment: Payment) => ({
  paymentId: payment.id,
  accountId: payment.account?.id,
  contactId: kindId(payment.contact),
  ...currencyOf(payment.currency),
  paymentMode: payment.payType ?? (payment.number === null ? null : 'Check'),
  documentNumber: payment.number,
  memo: payment.note,
  paymentDate: payment.date,
  updatedAt: payment.updatedAt.toISOString(),
});

export function expectedBanked(object: TradeDocument | Deposit | Transfer | CardPayment): UnifiedRecord {
  if ('payment' in object) return expectedPurchase(object);
  if ('card' in object) return expectedCardPayment(object);
  return 'from' in object ? expectedTransfer(object) : expectedDeposit(object);
}

function expectedPurchase(purchase: TradeDocument): UnifiedRecord {
  return {
    platformId: `purchase:${purchase.id}`,
    values: {
      accountId: purchase.payment?.account.id,
      contactId: contactIdOf(purchase.contact),
      ...currencyOf(purchase.currency),
      amount: totalOf(purchase).toFixed(),
      debitOrCredit: purchase.payment?.isRefund ? 'CREDIT' : 'DEBIT',
      type: 'EXPENSE',
      status: purchase.isVoid ? 'VOID' : null,
      transactionDate: purchase.date,
      updatedAt: purchase.updatedAt.toISOString(),
    },
  };
}

const expectedDeposit = (deposit: Deposit): UnifiedRecord => ({
  platformId: `deposit:${deposit.id}`,
  values: {
    accountId: deposit.account.id,
    ...currencyOf(deposit.currency),
    amount: sumOf([...deposit.lines, ...deposit.payments].map(({ amount }) => amount)).toFixed(),
    debitOrCredit: 'CREDIT',
    type: 'DEPOSIT',
    transactionDate: deposit.date,
    updatedAt: deposit.updatedAt.toISOString(),
  },
});

const expectedTransfer = (transfer: Transfer): UnifiedRecord => ({
  platformId: `transfer:${transfer.id}`,
  values: {
    fromAccountId: transfer.from.id,
    toAccountId: transfer.to.id,
    ...currencyOf(transfer.from.currency),
    amount: transfer.amount.toFixed(),
    type: 'TRANSFER',
    ...(transfer.amount.isZero() ? { status: 'VOID' } : {}),
    transactionDate: transfer.date,
    updatedAt: transfer.updatedAt.toISOString(),
  },
});

const expectedCardPayment = (payment: CardPayment): UnifiedRecord => ({
  platformId: `creditcardpayment:${payment.id}`,
  values: {
    fromAccountId: payment.bank.id,
    toAccountId: payment.card.id,
    contactId: payment.vendor && kindId(payment.vendor),
    ...currencyOf(payment.bank.currency),
    amount: payment.amount.toFixed(),
    type: 'TRANSFER',
    transactionDate: payment.date,
    updatedAt: payment.updatedAt.toISOString(),
  },
});

export function expectedJournal(entry: JournalEntry): UnifiedRecord {
  const debits = entry.lines.filter(({ side }) => side === 'Debit').map(({ amount }) => amount);
  return {
    platformId: entry.id,
    values: {
      amount: sumOf(debits).toFixed(),
      ...currencyOf(entry.currency),
      description: entry.note,
      documentNumber: entry.number,
      postedDate: entry.date,
      status: 'POSTED',
      updatedAt: entry.updatedAt.toISOString(),
    },
    lines: {
      journalLines: entry.lines.map((line) => ({
        platformId: null,
        values: {
          journalEntryId: entry.id,
          accountId: line.account.id,
          contactId: contactIdOf(line.contact),
          description: line.description,
          type: line.side.toUpperCase(),
          netAmount: line.amount.toFixed(),
          trackingCategoryIds: [line.class, line.department].flatMap((one) => (one ? [kindId(one)] : [])),
        },
      })),
    },
  };
}

export function expectedFiles(file: Attachable): UnifiedRecord[] {
  const voucher = voucherOf(file);
  if (!voucher) return [];
  return [
    {
      platformId: file.id,
      values: {
        documentType: voucher.type,
        documentTypeId: voucher.id,
        documentUploaded: false,
        fileName: file.fileName,
        fileSize: String(Buffer.byteLength(file.content)),
        fileType: file.contentType,
        updatedAt: file.updatedAt.toISOString(),
      },
    },
  ];
}
