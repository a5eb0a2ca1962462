import { type z } from 'zod';

import { billPayment, invoicePayment } from '../../../records/index.js';
import { type PlatformObject } from '../../platform.js';
import { checked, type Wrong } from '../../inputs/checked.js';
import { itemOf, name, reference, REFERENCES, text } from '../../inputs/fields.js';
import { billPaymentShape, invoicePaymentShape } from '../../inputs/movements.js';
import { roundedWarnings, roundTo } from '../../inputs/rounded.js';
import {
  bodyOf,
  changesNamed,
  type PushResource,
  type WriteForm,
  writeForm,
  type WriteTools,
} from '../../push.js';
import { toNumber } from '../../values/json-number.js';
import { textOf } from '../../values/platform-values.js';
import { transactions } from '../kinds.js';
import { methodNoter } from '../payment-methods.js';
import { contactRef, customerId, vendorId } from './contact-ids.js';
import { CONTACT_ABSENT, type Subjects } from './refusal.js';
import { createIn, ownFields, quickbooksPush } from './resource.js';
import { MONEY, refTo } from './values.js';

const { platform_id, amount, payment_date, currency_id, currency_rate } = invoicePaymentShape;
const common = {
  platform_id,
  amount,
  payment_date,
  currency_id,
  currency_rate,
  memo: text(),
  document_number: text(21),
  raw_data: ownFields(),
};

/** Ways of paying a bill, as QuickBooks has them: without one, the account is taken for one at a bank. */
const PAY_TYPES = {
  Check: { detail: 'CheckPayment', account: 'BankAccountRef' },
  CreditCard: { detail: 'CreditCardPayment', account: 'CCAccountRef' },
} as const;

const isPayType = (mode: string): mode is keyof typeof PAY_TYPES => Object.hasOwn(PAY_TYPES, mode);

/** Sales receipts have ids of several parts, and are paid. */
const documentId = (dataModel: 'INVOICES' | 'BILLS', words: string) =>
  name()
    .refine((id) => /^\d+$/.test(id), words)
    .meta({ [REFERENCES]: dataModel });

/** Cash pays a document: a credit note is applied to one without any. */
function withoutCredit({ credit_note_id: credit }: Readonly<Record<string, unknown>>, wrong: Wrong): void {
  if (credit === undefined) return;
  const words =
    'must not be sent: QuickBooks applies credit by a payment without money, which is not written';
  wrong(['credit_note_id'], words);
}

const receipts = checked(
  itemOf(
    {
      ...common,
      invoice_id: documentId(
        'INVOICES',
        'must be the id of an invoice such as 12: a receipt is paid already',
      ),
      credit_note_id: invoicePaymentShape.credit_note_id,
      contact_id: customerId(),
      account_id: invoicePaymentShape.account_id,
    },
    ['invoice_id', 'amount'],
  ),
  (item, { wrong }) => withoutCredit(item, wrong),
);

const remittances = checked(
  itemOf(
    {
      ...common,
      bill_id: documentId('BILLS', 'must be the id of a bill such as 12'),
      credit_note_id: billPaymentShape.credit_note_id,
      contact_id: vendorId(),
      account_id: reference('ACCOUNTS'),
      payment_mode: name(20).refine(isPayType, 'must be Check or CreditCard'),
    },
    ['bill_id', 'amount', 'account_id'],
  ),
  (item, { wrong }) => withoutCredit(item, wrong),
);

type Payment = Omit<z.output<typeof receipts>, 'invoice_id'>;

/** The contact is that of the document, unless the item names one. */
const payerOf = ({ contact_id }: Payment, document: readonly [string, string], { references }: WriteTools) =>
  contactRef(contact_id ?? references.valueOf(document[0], 'contactId', document[1]) ?? undefined);

function paid(given: Payment, TxnType: string, TxnId: string): PlatformObject {
  const amount = toNumber(roundTo(given.amount, MONEY.digits));
  return {
    TotalAmt: amount,
    TxnDate: given.payment_date,
    CurrencyRef: refTo(given.currency_id),
    ExchangeRate: toNumber(given.currency_rate),
    PrivateNote: given.memo,
    Line: [{ Amount: amount, LinkedTxn: [{ TxnId, TxnType }] }],
  };
}

const warned = (form: WriteForm): WriteForm => ({
  ...form,
  warnings: ({ amount }) => roundedWarnings(textOf(amount), MONEY, ['amount']),
});

const SUBJECTS: Subjects = [
  [CONTACT_ABSENT, 'contact_id'],
  [/exchange ?rate/i, 'currency_rate'],
  [/currency/i, 'currency_id'],
  [/account/i, 'account_id'],
  [/txn ?date/i, 'payment_date'],
  [/doc ?number|document number|payment ?ref ?num/i, 'document_number'],
  [/private ?note/i, 'memo'],
  [/customer|vendor/i, 'contact_id'],
  [/amount|amt/i, 'amount'],
];

/** Payments, each of one document. They can only be created: a change of one of several parts would be one of all. */
export const paymentPushes: readonly PushResource[] = [
  quickbooksPush({
    definition: invoicePayment,
    kinds: [transactions('Payment')],
    create: warned(
      writeForm(receipts, (given, tools) =>
        createIn(
          'Payment',
          bodyOf(given.raw_data, {
            CustomerRef: payerOf(given, ['INVOICES', given.invoice_id], tools),
            DepositToAccountRef: refTo(given.account_id),
            PaymentRefNum: given.document_number,
            ...paid(given, 'Invoice', given.invoice_id),
          }),
        ),
      ),
    ),
    subjects: [[/txn ?id|linked|invoice/i, 'invoice_id'], ...SUBJECTS],
    reads: [{ dataModel: 'INVOICES', field: 'contactId' }],
    changesAlong: changesNamed('INVOICES'),
    // The name of its method, to which `raw_data` may refer.
    readBack: (client, written) => methodNoter(client)(written),
  }),
  quickbooksPush({
    definition: billPayment,
    kinds: [transactions('BillPayment')],
    create: warned(
      writeForm(remittances, (given, tools) => {
        const { payment_mode: mode = '' } = given;
        const PayType = isPayType(mode) ? mode : 'Check';
        const { detail, account } = PAY_TYPES[PayType];
        return createIn(
          'BillPayment',
          bodyOf(given.raw_data, {
            VendorRef: payerOf(given, ['BILLS', given.bill_id], tools),
            PayType,
            [detail]: { [account]: refTo(given.account_id) },
            DocNumber: given.document_number,
            ...paid(given, 'Bill', given.bill_id),
          }),
        );
      }),
    ),
    subjects: [[/txn ?id|linked|\bbill\b/i, 'bill_id'], ...SUBJECTS],
    reads: [{ dataModel: 'BILLS', field: 'contactId' }],
    changesAlong: changesNamed('BILLS'),
  }),
];
