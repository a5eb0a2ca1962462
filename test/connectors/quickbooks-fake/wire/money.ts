import {
  type Applied,
  type Attachable,
  type CardPayment,
  type Deposit,
  type JournalEntry,
  type JournalLine,
  type Named,
  type Payment,
  type Transfer,
} from '../domain.js';
import { sumOf } from '../totals.js';
import { unappliedOf } from '../unapplied.js';
import { base, currencyRef, type Json, money, number, optional, optionalRef, ref } from './values.js';
import { entityRef } from './documents.js';

const appliedToWire = ({ type, id, amount }: Applied): Json => ({
  Amount: number(amount),
  LinkedTxn: [{ TxnId: id, TxnType: type }],
  LineEx: {
    any: [
      {
        name: '{http://schema.intuit.com/finance/v3}NameValue',
        declaredType: 'com.intuit.schema.finance.v3.NameValue',
        value: { Name: 'txnId', Value: id },
        nil: false,
      },
    ],
  },
});

export const paymentMethodToWire = (method: Named): Json => ({
  Name: method.name,
  Active: method.active,
  Type: 'NON_CREDIT_CARD',
  ...base(method),
});

export const paymentToWire = (payment: Payment): Json => ({
  CustomerRef: ref(payment.contact.id, payment.contact.name),
  ...optional('DepositToAccountRef', payment.account && ref(payment.account.id)),
  ...optional('PaymentMethodRef', payment.number && ref('1')),
  ...optional('PaymentRefNum', payment.number),
  TotalAmt: number(payment.total),
  UnappliedAmt: number(unappliedOf(payment)),
  ProcessPayment: false,
  TxnDate: payment.date,
  ...money(payment.currency),
  ...optional('PrivateNote', payment.note),
  Line: payment.applied.map(appliedToWire),
  ...base(payment),
});

export function billPaymentToWire(payment: Payment): Json {
  const { account, payType } = payment;
  if (!account) throw new Error(`bill payment ${payment.id} has no account`);
  const from = ref(account.id, account.name);
  return {
    VendorRef: ref(payment.contact.id, payment.contact.name),
    PayType: payType,
    ...(payType === 'Check'
      ? { CheckPayment: { BankAccountRef: from, PrintStatus: 'NeedToPrint' } }
      : { CreditCardPayment: { CCAccountRef: from } }),
    TotalAmt: number(payment.total),
    ...optional('DocNumber', payment.number),
    TxnDate: payment.date,
    ...money(payment.currency),
    ...optional('PrivateNote', payment.note),
    Line: payment.applied.map(({ type, id, amount }) => ({
      Amount: number(amount),
      LinkedTxn: [{ TxnId: id, TxnType: type }],
    })),
    ...base(payment),
  };
}

export function depositToWire(deposit: Deposit): Json {
  const own = deposit.lines.map((line, index) => ({
    Id: line.id,
    LineNum: index + 1,
    ...optional('Description', line.description),
    Amount: number(line.amount),
    DetailType: 'DepositLineDetail',
    DepositLineDetail: {
      ...optional('Entity', line.contact && entityRef(line.contact)),
      AccountRef: ref(line.account.id, line.account.name),
    },
  }));
  const brought = deposit.payments.map(({ id, amount }) => ({
    Amount: number(amount),
    LinkedTxn: [{ TxnId: id, TxnType: 'Payment', TxnLineId: '0' }],
    DepositLineDetail: { PaymentMethodRef: ref('1') },
  }));
  return {
    DepositToAccountRef: ref(deposit.account.id, deposit.account.name),
    TotalAmt: number(depositTotal(deposit)),
    TxnDate: deposit.date,
    ...money(deposit.currency),
    ...optional('PrivateNote', deposit.note),
    Line: [...own, ...brought],
    ...base(deposit),
  };
}

export const depositTotal = ({ lines, payments }: Deposit) =>
  sumOf([...lines, ...payments].map(({ amount }) => amount));

export const transferToWire = (transfer: Transfer): Json => ({
  FromAccountRef: ref(transfer.from.id, transfer.from.name),
  ToAccountRef: ref(transfer.to.id, transfer.to.name),
  Amount: number(transfer.amount),
  TxnDate: transfer.date,
  ...money(transfer.from.currency),
  ...optional('PrivateNote', transfer.note),
  ...base(transfer),
});

/** Several currencies are not supported: there is no rate. */
export const cardPaymentToWire = (payment: CardPayment): Json => ({
  CreditCardAccountRef: ref(payment.card.id, payment.card.name),
  BankAccountRef: ref(payment.bank.id, payment.bank.name),
  ...optionalRef('VendorRef', payment.vendor),
  Amount: number(payment.amount),
  TxnDate: payment.date,
  ...currencyRef(payment.bank.currency),
  ...optional('PrivateNote', payment.note),
  ...base(payment),
});

export const journalToWire = (entry: JournalEntry): Json => ({
  Adjustment: entry.isAdjustment,
  ...optional('DocNumber', entry.number),
  TxnDate: entry.date,
  ...money(entry.currency),
  ...optional('PrivateNote', entry.note),
  Line: entry.lines.map(journalLine),
  TxnTaxDetail: {},
  ...base(entry),
});

function journalLine(line: JournalLine): Json {
  const { contact } = line;
  const Entity = contact && { Type: contact.kind, EntityRef: ref(contact.id, contact.name) };
  return {
    Id: line.id,
    ...optional('Description', line.description),
    Amount: number(line.amount),
    DetailType: 'JournalEntryLineDetail',
    JournalEntryLineDetail: {
      PostingType: line.side,
      ...optional('Entity', Entity),
      AccountRef: ref(line.account.id, line.account.name),
      ...optionalRef('ClassRef', line.class),
      ...optionalRef('DepartmentRef', line.department),
    },
  };
}

/** `origin` is where files are, for a while and to everybody who has the address. */
export function attachableToWire(attachable: Attachable, realmId: string, origin: string): Json {
  const { fileName, refs } = attachable;
  return {
    ...(fileName === null
      ? {}
      : {
          FileName: fileName,
          FileAccessUri: `/v3/company/${realmId}/download/${attachable.id}`,
          TempDownloadUri: fileAddress(origin, attachable),
          Size: Buffer.byteLength(attachable.content),
          ...optional('ContentType', attachable.contentType),
        }),
    ...optional('Note', attachable.text),
    ...(refs.length > 0
      ? {
          AttachableRef: refs.map(({ type, id }) => ({
            EntityRef: { value: id, type },
            IncludeOnSend: false,
          })),
        }
      : {}),
    ...base(attachable),
  };
}

/** The address says all that is needed, as signed ones do. */
export const fileAddress = (origin: string, { id, version }: Attachable): string =>
  `${origin}/intuit-qbo-prod-29/${id}?X-Amz-Expires=900&X-Amz-Signature=${id.slice(-4)}${version}%2Bs`;
