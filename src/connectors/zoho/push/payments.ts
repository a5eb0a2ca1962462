import { billPayment, invoicePayment } from '../../../records/index.js';
import { type PlatformObject } from '../../platform.js';
import { itemOf, name } from '../../inputs/fields.js';
import { billPaymentShape, invoicePaymentShape } from '../../inputs/movements.js';
import { roundedWarnings, roundTo } from '../../inputs/rounded.js';
import { bodyOf, changesNamed, type PushResource, type WriteForm, writeForm } from '../../push.js';
import { toNumber } from '../../values/json-number.js';
import { textOf } from '../../values/platform-values.js';
import { CUSTOMER_PAYMENTS, VENDOR_PAYMENTS } from '../resources.js';
import { findByReference } from './find.js';
import { type Subjects } from './refusal.js';
import { createIn, zohoPush } from './resource.js';
import { MONEY, ownFields, unsent } from './values.js';

const { platform_id, amount, payment_date, currency_rate, memo, contact_id } = invoicePaymentShape;
const common = {
  platform_id,
  amount,
  payment_date,
  payment_mode: name(100),
  currency_rate,
  currency_id: unsent('Zoho Books takes that of the contact'),
  contact_id,
  memo,
  document_number: unsent('Zoho Books numbers payments itself'),
  credit_note_id: unsent('Zoho Books applies credit without a payment, which is not written'),
  raw_data: ownFields('payment_id', 'reference_number', 'invoices', 'bills'),
};

const receipts = itemOf(
  { ...common, invoice_id: invoicePaymentShape.invoice_id, account_id: invoicePaymentShape.account_id },
  ['invoice_id', 'amount', 'payment_date', 'payment_mode'],
);
const remittances = itemOf(
  { ...common, bill_id: billPaymentShape.bill_id, account_id: billPaymentShape.account_id },
  ['bill_id', 'amount'],
);

/** The amount as a number, with the digits that Zoho may store. */
const amountOf = (given: string) => toNumber(roundTo(given, MONEY.digits));

const warned = (form: WriteForm): WriteForm => ({
  ...form,
  warnings: ({ amount: given }) => roundedWarnings(textOf(given), MONEY, ['amount']),
});

const SUBJECTS: Subjects = [
  [/exchange[_ ]?rate/i, 'currency_rate'],
  [/payment[_ ]?mode/i, 'payment_mode'],
  [/account/i, 'account_id'],
  [/amount|exceed|balance/i, 'amount'],
  [/\bdate\b/i, 'payment_date'],
  [/description/i, 'memo'],
];

/** The answer to a vendor's payment is described as the payment itself, and known to have it within. */
const unwrapped = (resource: PushResource): PushResource => ({
  ...resource,
  written: (answer, request) =>
    textOf(answer['payment_id']) === null ? resource.written(answer, request) : answer,
});

const customerPayments = zohoPush({
  definition: invoicePayment,
  list: CUSTOMER_PAYMENTS,
  create: warned(
    writeForm(receipts, (given, { references, marker }) => {
      const { invoice_id, contact_id: contact } = given;
      const amount_applied = amountOf(given.amount);
      return createIn(
        CUSTOMER_PAYMENTS,
        bodyOf(given.raw_data, {
          customer_id: contact ?? references.valueOf('INVOICES', 'contactId', invoice_id) ?? undefined,
          payment_mode: given.payment_mode,
          amount: amount_applied,
          date: given.payment_date,
          exchange_rate: toNumber(given.currency_rate),
          description: given.memo,
          account_id: given.account_id,
          reference_number: marker,
          invoices: [{ invoice_id, amount_applied }],
          // By Zoho's own description here, too.
          invoice_id,
          amount_applied,
        } satisfies PlatformObject),
      );
    }),
  ),
  find: findByReference(CUSTOMER_PAYMENTS),
  subjects: [
    [/invoice_id/i, 'invoice_id'],
    ...SUBJECTS,
    [/invoice/i, 'invoice_id'],
    [/customer/i, 'contact_id'],
  ],
  reads: [{ dataModel: 'INVOICES', field: 'contactId' }],
  changesAlong: changesNamed('INVOICES'),
});

const vendorPayments = zohoPush({
  definition: billPayment,
  list: VENDOR_PAYMENTS,
  create: warned(
    writeForm(remittances, (given, { references, marker }) => {
      const { bill_id, contact_id: contact } = given;
      const amount_applied = amountOf(given.amount);
      return createIn(
        VENDOR_PAYMENTS,
        bodyOf(given.raw_data, {
          vendor_id: contact ?? references.valueOf('BILLS', 'contactId', bill_id) ?? undefined,
          payment_mode: given.payment_mode,
          amount: amount_applied,
          date: given.payment_date,
          exchange_rate: toNumber(given.currency_rate),
          description: given.memo,
          paid_through_account_id: given.account_id,
          reference_number: marker,
          bills: [{ bill_id, amount_applied }],
        } satisfies PlatformObject),
      );
    }),
  ),
  find: findByReference(VENDOR_PAYMENTS),
  subjects: [[/bill_id/i, 'bill_id'], ...SUBJECTS, [/\bbill/i, 'bill_id'], [/vendor/i, 'contact_id']],
  reads: [{ dataModel: 'BILLS', field: 'contactId' }],
  changesAlong: changesNamed('BILLS'),
});

/** Payments, each of one document. They can only be created: a change of one of several parts would be one of all. */
export const paymentPushes: readonly PushResource[] = [customerPayments, unwrapped(vendorPayments)];
