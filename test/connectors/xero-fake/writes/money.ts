import { Decimal } from 'decimal.js';

import { type BankTransaction, type BankTransfer, type ManualJournal, type Payment } from '../domain.js';
import { withTax } from '../makers/lines.js';
import { remainderOf } from '../totals.js';
import { accountBy, contactOf, LINE_NAMES, tagsOf, WHOLE_NAMES } from './find.js';
import { dayIn, flagIn, listIn, numberIn, objectIn, textIn } from './input.js';
import { linesOf } from './lines.js';
import { type Write } from './write.js';

const TODAY = '2026-03-01';
const PAYMENT_TYPES = {
  ACCREC: 'ACCRECPAYMENT',
  ACCPAY: 'ACCPAYPAYMENT',
  ACCRECCREDIT: 'ARCREDITPAYMENT',
  ACCPAYCREDIT: 'APCREDITPAYMENT',
} as const;

export function createPayment({ organisation, body, complaints, kept }: Write): Payment | null {
  const [invoice, note] = [objectIn(body, 'Invoice'), objectIn(body, 'CreditNote')];
  const id = (invoice && textIn(invoice, 'InvoiceID')) ?? (note && textIn(note, 'CreditNoteID'));
  const document = organisation.documents.find((one) => one.id === id);
  const account = accountBy(organisation, objectIn(body, 'Account'), WHOLE_NAMES);
  const amount = numberIn(body, 'Amount');
  if (!document || document.type === 'PURCHASEORDER') complaints.add('Invoice could not be found');
  else if (document.status !== 'AUTHORISED') {
    complaints.add('Payments can only be made against Authorised documents');
  }
  if (!account) complaints.add('Account could not be found');
  else if (account.type !== 'BANK') {
    complaints.add('Account type is invalid for the payment: it cannot be used for payments');
  }
  if (amount === undefined) complaints.add('Payment amount must be specified');
  else if (document && amount.greaterThan(remainderOf(document))) {
    complaints.add('Payment amount exceeds the amount outstanding on this document');
  }
  if (!complaints.isEmpty || !document || !account || !amount || document.type === 'PURCHASEORDER')
    return null;
  const own = kept('AUTHORISED');
  const payment: Payment = {
    ...own,
    type: PAYMENT_TYPES[document.type],
    document,
    account,
    date: dayIn(body, 'Date') ?? TODAY,
    amount,
    reference: textIn(body, 'Reference') ?? '',
  };
  document.paid = document.paid.plus(amount);
  if (remainderOf(document).isZero()) document.status = 'PAID';
  document.updatedAt = own.updatedAt;
  organisation.payments.push(payment);
  return payment;
}

export function createBankTransaction(write: Write): BankTransaction | null {
  const { organisation, body, complaints, kept } = write;
  const type = textIn(body, 'Type');
  if (type !== 'RECEIVE' && type !== 'SPEND') {
    complaints.add('Bank transaction Type must be specified');
    return null;
  }
  const contact = contactOf(organisation, body, complaints);
  const account = accountBy(organisation, objectIn(body, 'BankAccount'), WHOLE_NAMES);
  if (!account || account.type !== 'BANK') complaints.add('The Bank Account could not be found');
  const amountTypes = textIn(body, 'LineAmountTypes') ?? 'Exclusive';
  const lines = linesOf(write, listIn(body, 'LineItems') ?? [], {
    amountTypes: amountTypes as 'Exclusive',
    isSale: type === 'RECEIVE',
    hasDiscounts: false,
  });
  if (lines.length === 0) complaints.add('One or more line items must be specified');
  const [first] = organisation.currencies;
  if (!complaints.isEmpty || !contact || !account || !first) return null;
  const transaction: BankTransaction = {
    ...kept('AUTHORISED'),
    type,
    account,
    contact,
    currency: account.currency ?? first,
    date: dayIn(body, 'Date') ?? TODAY,
    total: lines.reduce((total, { net, tax }) => total.plus(net).plus(tax), new Decimal(0)),
    reference: textIn(body, 'Reference') ?? '',
  };
  organisation.bankTransactions.push(transaction);
  return transaction;
}

export function createBankTransfer({ organisation, body, complaints, kept }: Write): BankTransfer | null {
  const bank = (name: string) => {
    const account = accountBy(organisation, objectIn(body, name), WHOLE_NAMES);
    if (account?.type === 'BANK') return account;
    complaints.add(`${name} could not be found`);
    return undefined;
  };
  const [from, to] = [bank('FromBankAccount'), bank('ToBankAccount')];
  const amount = numberIn(body, 'Amount');
  if (amount === undefined) complaints.add('Amount must be specified');
  const [currency] = organisation.currencies;
  if (!from || !to || !amount || !currency) return null;
  const date = dayIn(body, 'Date') ?? TODAY;
  const leg = (type: BankTransaction['type'], account: typeof from): BankTransaction => ({
    ...kept('AUTHORISED'),
    type,
    account,
    contact: null,
    currency,
    date,
    total: amount,
    reference: '',
  });
  const own = kept('AUTHORISED');
  const transfer: BankTransfer = {
    ...own,
    from: leg('SPEND-TRANSFER', from),
    to: leg('RECEIVE-TRANSFER', to),
    amount,
    date,
    createdAt: own.updatedAt,
    reference: textIn(body, 'Reference') ?? '',
  };
  organisation.bankTransactions.push(transfer.from, transfer.to);
  organisation.bankTransfers.push(transfer);
  return transfer;
}

export function createManualJournal(write: Write): ManualJournal | null {
  const { organisation, body, complaints, kept } = write;
  const narration = textIn(body, 'Narration');
  if (!narration) complaints.add('Narration must be specified');
  const given = textIn(body, 'LineAmountTypes');
  const amountTypes = given === 'Inclusive' || given === 'Exclusive' ? given : 'NoTax';
  const lines = (listIn(body, 'JournalLines') ?? []).map((input, index) => {
    const complain = (message: string) => complaints.addToLine(index, message);
    const account = accountBy(organisation, input, LINE_NAMES);
    if (!account)
      complain(`Account code '${textIn(input, 'AccountCode') ?? ''}' is not a valid code for this document.`);
    else if (account.type === 'BANK')
      complain('Bank accounts cannot be used: the account is invalid for journals');
    const amount = numberIn(input, 'LineAmount') ?? new Decimal(0);
    const description = textIn(input, 'Description') ?? '';
    const taxRate = organisation.taxRates.find(({ id }) => id === textIn(input, 'TaxType'));
    const { net, tax } = withTax(amount, new Decimal(taxRate?.rate ?? 0), amountTypes);
    return account
      ? [{ account, description, amount: net, tax, tags: tagsOf(organisation, input, complain) }]
      : [];
  });
  const own = lines.flat();
  const total = own.reduce((sum, { amount, tax }) => sum.plus(amount).plus(tax), new Decimal(0));
  if (complaints.isEmpty && !total.isZero()) {
    complaints.add('The total debits must equal the total credits of the journal');
  }
  if (!complaints.isEmpty || !narration) return null;
  const journal: ManualJournal = {
    ...kept(textIn(body, 'Status') ?? 'DRAFT'),
    narration,
    date: dayIn(body, 'Date') ?? TODAY,
    amountTypes,
    onCashBasis: flagIn(body, 'ShowOnCashBasisReports') ?? true,
    lines: own,
    attachments: [],
  };
  organisation.manualJournals.push(journal);
  return journal;
}
