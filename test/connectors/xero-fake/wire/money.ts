import {
  type Advance,
  type BankTransaction,
  type BankTransfer,
  type ManualJournal,
  type Payment,
} from '../domain.js';
import { contactReference } from './contacts.js';
import { rateOf } from './documents.js';
import { tagToWire } from './lines.js';
import { day, dayText, instant, number, optional } from './values.js';

/** What is paid is called `Invoice`, also where it is a credit note. */
export function paymentToWire(payment: Payment): object {
  const { document, account } = payment;
  return {
    PaymentID: payment.id,
    Date: day(payment.date),
    BankAmount: number(payment.amount),
    Amount: number(payment.amount),
    Reference: payment.reference,
    // Not for the base currency.
    ...(document.currency.worth !== '1' && { CurrencyRate: rateOf(document.currency) }),
    PaymentType: payment.type,
    Status: payment.status,
    UpdatedDateUTC: instant(payment.updatedAt),
    HasAccount: true,
    IsReconciled: false,
    Account: { AccountID: account.id, ...optional('Code', account.code) },
    Invoice: {
      Type: document.type,
      InvoiceID: document.id,
      InvoiceNumber: document.number,
      Payments: [],
      CreditNotes: [],
      Prepayments: [],
      Overpayments: [],
      Contact: contactReference(document.contact),
      LineItems: [],
      CurrencyCode: document.currency.id,
    },
    HasValidationErrors: false,
  };
}

export const prepaymentToWire = (advance: Advance): object => advanceToWire(advance, 'PrepaymentID');
export const overpaymentToWire = (advance: Advance): object => advanceToWire(advance, 'OverpaymentID');

function advanceToWire({ currency, contact, total, ...advance }: Advance, idName: string): object {
  return {
    [idName]: advance.id,
    Type: advance.type,
    Reference: advance.reference,
    RemainingCredit: number(advance.allocated.reduce((left, { amount }) => left.minus(amount), total)),
    Allocations: advance.allocated.map((allocation) => ({
      AllocationID: allocation.id,
      Amount: number(allocation.amount),
      Date: day(allocation.date),
      Invoice: { InvoiceID: allocation.document.id, InvoiceNumber: allocation.document.number },
      IsDeleted: false,
    })),
    Payments: [],
    HasAttachments: false,
    Contact: contactReference(contact),
    DateString: dayText(advance.date),
    Date: day(advance.date),
    Status: advance.status,
    LineAmountTypes: 'NoTax',
    LineItems: [],
    SubTotal: number(total),
    TotalTax: 0,
    Total: number(total),
    UpdatedDateUTC: instant(advance.updatedAt),
    CurrencyCode: currency.id,
    CurrencyRate: rateOf(currency),
  };
}

export function bankTransactionToWire(transaction: BankTransaction): object {
  const { account, contact } = transaction;
  return {
    BankTransactionID: transaction.id,
    BankAccount: { AccountID: account.id, ...optional('Code', account.code), Name: account.name },
    Type: transaction.type,
    Reference: transaction.reference,
    IsReconciled: false,
    HasAttachments: false,
    ...(contact && { Contact: contactReference(contact) }),
    DateString: dayText(transaction.date),
    Date: day(transaction.date),
    Status: transaction.status,
    LineAmountTypes: 'NoTax',
    LineItems: [],
    SubTotal: number(transaction.total),
    TotalTax: 0,
    Total: number(transaction.total),
    UpdatedDateUTC: instant(transaction.updatedAt),
    CurrencyCode: transaction.currency.id,
    // Not for the base currency.
    ...(transaction.currency.worth !== '1' && { CurrencyRate: rateOf(transaction.currency) }),
  };
}

/** The time of a change is known to `If-Modified-Since` only. */
export function bankTransferToWire({ from, to, ...transfer }: BankTransfer): object {
  return {
    BankTransferID: transfer.id,
    CreatedDateUTCString: transfer.createdAt.toISOString().slice(0, 19),
    CreatedDateUTC: instant(transfer.createdAt),
    DateString: dayText(transfer.date),
    Date: day(transfer.date),
    Status: transfer.status,
    FromBankAccount: { AccountID: from.account.id, Name: from.account.name },
    ToBankAccount: { AccountID: to.account.id, Name: to.account.name },
    Amount: number(transfer.amount),
    FromBankTransactionID: from.id,
    ToBankTransactionID: to.id,
    FromIsReconciled: false,
    ToIsReconciled: false,
    Reference: transfer.reference,
    HasAttachments: false,
    FromTracking: [],
    ToTracking: [],
  };
}

/** With an empty line at the end, which people leave. */
export function manualJournalToWire(journal: ManualJournal): object {
  return {
    Date: day(journal.date),
    Status: journal.status,
    LineAmountTypes: journal.amountTypes,
    UpdatedDateUTC: instant(journal.updatedAt),
    ManualJournalID: journal.id,
    Narration: journal.narration,
    JournalLines: [
      ...journal.lines.map((line) => ({
        LineAmount: number(journal.amountTypes === 'Inclusive' ? line.amount.plus(line.tax) : line.amount),
        ...optional('AccountCode', line.account.code),
        AccountID: line.account.id,
        Description: line.description,
        TaxType: line.tax.isZero() ? 'NONE' : 'INPUT2',
        TaxAmount: number(line.tax),
        Tracking: line.tags.map(tagToWire),
        IsBlank: false,
      })),
      { LineAmount: 0, IsBlank: true },
    ],
    ShowOnCashBasisReports: journal.onCashBasis,
    HasAttachments: journal.attachments.length > 0,
  };
}
