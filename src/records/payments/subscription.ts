import type { PaymentSubscriptionModel } from '../../db/__generated__/models.js';
import { defineRecord } from '../define.js';
import { graphqlOnly, text, timestamp } from '../fields.js';
import { coded, GRAPHQL_ONLY, one } from '../relations.js';

/** Reference G4, payments subscriptions. */
export const paymentSubscription = defineRecord<PaymentSubscriptionModel>()({
  model: 'PaymentSubscription',
  table: 'payment_subscriptions',
  list: 'paymentSubscriptions',
  path: 'payments/subscriptions',
  dataModel: 'PAYMENT_SUBSCRIPTIONS',
  category: 'PAYMENTS',
  fields: {
    description: text('description'),
    currencyId: text('currency_id'),
    currencyCode: graphqlOnly(text('currency_code')),
    status: text('status'),
    contactId: text('contact_id'),
    paymentMethod: text('payment_method'),
    currentStart: timestamp('current_start'),
    currentEnd: timestamp('current_end'),
    expireBy: timestamp('expire_by'),
    createdAt: timestamp('created_at'),
  },
  relations: {
    currency: coded('Currency', 'code', 'currencyCode'),
    customer: one(GRAPHQL_ONLY, 'PaymentCustomer', 'contactId'),
  },
});
