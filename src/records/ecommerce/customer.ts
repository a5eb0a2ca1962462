import type { EcommerceCustomerModel } from '../../db/__generated__/models.js';
import { defineRecord } from '../define.js';
import { graphqlOnly, hidden, oneOf, text, timestamp } from '../fields.js';
import { coded, embedded, IDENTITY, many } from '../relations.js';
import { ADDRESS_TYPES, RECORD_STATUSES } from '../value-sets.js';

/** Reference G4, ecommerce customers. */
export const ecommerceCustomer = defineRecord<EcommerceCustomerModel>()({
  model: 'EcommerceCustomer',
  table: 'ecommerce_customers',
  list: 'ecommerceCustomers',
  path: 'ecommerce/customers',
  dataModel: 'ECOMMERCE_CUSTOMERS',
  category: 'ECOMMERCE',
  fields: {
    name: text('name'),
    email: text('email'),
    phone: text('phone'),
    currencyId: text('currency_id'),
    currencyCode: graphqlOnly(text('currency_code')),
    status: oneOf('status', RECORD_STATUSES),
    addressType: hidden(oneOf('address_type', ADDRESS_TYPES)),
    addressStreet: hidden(text('address_street')),
    addressLocality: hidden(text('address_locality')),
    addressCity: hidden(text('address_city')),
    addressState: hidden(text('address_state')),
    addressPincode: hidden(text('address_pincode')),
    addressCountry: hidden(text('address_country')),
    createdAt: timestamp('created_at'),
    updatedAt: timestamp('updated_at'),
  },
  relations: {
    address: embedded('address', {
      ...IDENTITY,
      type: 'addressType',
      street: 'addressStreet',
      locality: 'addressLocality',
      city: 'addressCity',
      state: 'addressState',
      pincode: 'addressPincode',
      country: 'addressCountry',
    }),
    currency: coded('Currency', 'code', 'currencyCode'),
    orders: many('orders', 'EcommerceOrder', 'customerId'),
  },
  rest: { always: { address: 'null' }, expand: [], isWrittenAsList: true },
});
