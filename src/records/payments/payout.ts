import type { PaymentPayoutModel } from '../../db/__generated__/models.js';
import { defineRecord } from '../define.js';
import { decimalText, graphqlOnly, oneOf, text, timestamp } from '../fields.js';
import { coded, many } from '../relations.js';
import { PAYMENT_PAYOUT_STATUSES } from '../value-sets.js';

/** Reference G4, payments payouts. */
export const paymentPayout = defineRecord<PaymentPayoutModel>()({
  model: 'PaymentPayout',
  table: 'payment_payouts',
  list: 'paymentPayouts',
  path: 'payments/payouts',
  dataModel: 'PAYMENT_PAYOUTS',
  category: 'PAYMENTS',
  fields: {
    amount: decimalText('amount'),
    currencyId: text('currency_id'),
    currencyCode: graphqlOnly(text('currency_code')),
    description: text('description'),
    status: oneOf('status', PAYMENT_PAYOUT_STATUSES),
    createdAt: timestamp('created_at'),
  },
  relations: {
    currency: coded('Currency', 'code', 'currencyCode'),
    transactions: many('transactions', 'PaymentTransaction', 'payoutId'),
  },
  rest: { expand: [] },
});
