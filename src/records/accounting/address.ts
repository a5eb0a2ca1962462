import type { AddressModel } from '../../db/__generated__/models.js';
import { defineLine } from '../define.js';
import { oneOf, text, timestamp } from '../fields.js';
import { ADDRESS_TYPES } from '../value-sets.js';

/** Reference 2.3, Address. */
export const address = defineLine<AddressModel>()({
  model: 'Address',
  table: 'addresses',
  list: 'addresses',
  path: 'accounting/addresses',
  dataModel: 'ADDRESSES',
  category: 'ACCOUNTING',
  fields: {
    dataModel: text('data_model'),
    dataModelId: text('data_model_id'),
    type: oneOf('type', ADDRESS_TYPES),
    street: text('street'),
    locality: text('locality'),
    city: text('city'),
    state: text('state'),
    pincode: text('pincode'),
    country: text('country'),
    updatedAt: timestamp('updated_at'),
  },
  rest: { metadata: ['svcId', 'platformId'] },
});
