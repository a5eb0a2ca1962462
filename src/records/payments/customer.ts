import type { PaymentCustomerModel } from '../../db/__generated__/models.js';
import { defineRecord } from '../define.js';
import { graphqlOnly, text, timestamp } from '../fields.js';
import { coded, lines, many } from '../relations.js';

/** Reference G4, payments customers. */
export const paymentCustomer = defineRecord<PaymentCustomerModel>()({
  model: 'PaymentCustomer',
  table: 'payment_customers',
  list: 'paymentCustomers',
  path: 'payments/customers',
  dataModel: 'PAYMENT_CUSTOMERS',
  category: 'PAYMENTS',
  fields: {
    name: text('name'),
    taxNumber: text('tax_number'),
    currencyId: text('currency_id'),
    currencyCode: graphqlOnly(text('currency_code')),
    createdAt: timestamp('created_at'),
  },
  relations: {
    currency: coded('Currency', 'code', 'currencyCode'),
    externalLinks: lines('external_links', 'ExternalLink'),
    phoneNumbers: lines('phone_numbers', 'PhoneNumber'),
    addresses: lines('addresses', 'Address'),
    payments: many('payments', 'Payment', 'customerId'),
    subscriptions: many('subscriptions', 'PaymentSubscription', 'contactId'),
  },
  rest: { always: { externalLinks: '[]', phoneNumbers: '[]', addresses: '[]' }, expand: [] },
});
