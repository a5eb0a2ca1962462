import type { PaymentItemModel } from '../../db/__generated__/models.js';
import { defineRecord } from '../define.js';
import { decimalText, graphqlOnly, oneOf, text, timestamp } from '../fields.js';
import { coded } from '../relations.js';
import { RECORD_STATUSES } from '../value-sets.js';

/** Reference G4, payments items. */
export const paymentItem = defineRecord<PaymentItemModel>()({
  model: 'PaymentItem',
  table: 'payment_items',
  list: 'paymentItems',
  path: 'payments/items',
  dataModel: 'PAYMENT_ITEMS',
  category: 'PAYMENTS',
  fields: {
    name: text('name'),
    currencyId: text('currency_id'),
    currencyCode: graphqlOnly(text('currency_code')),
    description: text('description'),
    code: text('code'),
    unitPrice: decimalText('unit_price'),
    status: oneOf('status', RECORD_STATUSES),
    createdAt: timestamp('created_at'),
    updatedAt: timestamp('updated_at'),
  },
  relations: {
    currency: coded('Currency', 'code', 'currencyCode'),
  },
});
