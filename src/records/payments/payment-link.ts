import type { PaymentLinkModel } from '../../db/__generated__/models.js';
import { defineRecord } from '../define.js';
import { decimalText, graphqlOnly, oneOf, text, timestamp } from '../fields.js';
import { coded, lines } from '../relations.js';
import { PAYMENT_LINK_STATUSES } from '../value-sets.js';

/** Reference 2.3, Payment link. */
export const paymentLink = defineRecord<PaymentLinkModel>()({
  model: 'PaymentLink',
  table: 'payment_links',
  list: 'paymentLinks',
  path: 'payments/payment_links',
  dataModel: 'PAYMENT_PAYMENT_LINKS',
  category: 'PAYMENTS',
  fields: {
    amount: decimalText('amount'),
    currencyId: text('currency_id'),
    currencyCode: graphqlOnly(text('currency_code')),
    description: text('description'),
    link: text('link'),
    status: oneOf('status', PAYMENT_LINK_STATUSES),
    createdAt: timestamp('created_at'),
    updatedAt: timestamp('updated_at'),
  },
  relations: {
    currency: coded('Currency', 'code', 'currencyCode'),
    lineItems: lines('line_items', 'PaymentLineItem'),
  },
});
