import type { PaymentBalanceModel } from '../../db/__generated__/models.js';
import { defineRecord } from '../define.js';
import { decimalText, graphqlOnly, text } from '../fields.js';
import { coded } from '../relations.js';

/** Reference G4, payments balances. */
export const paymentBalance = defineRecord<PaymentBalanceModel>()({
  model: 'PaymentBalance',
  table: 'payment_balances',
  list: 'paymentBalances',
  path: 'payments/balances',
  dataModel: 'PAYMENT_BALANCES',
  category: 'PAYMENTS',
  fields: {
    totalBalance: decimalText('total_balance'),
    availableBalance: decimalText('available_balance'),
    pendingBalance: decimalText('pending_balance'),
    currencyId: text('currency_id'),
    currencyCode: graphqlOnly(text('currency_code')),
  },
  relations: {
    currency: coded('Currency', 'code', 'currencyCode'),
  },
});
