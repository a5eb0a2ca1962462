import type { PhoneNumberModel } from '../../db/__generated__/models.js';
import { defineLine } from '../define.js';
import { oneOf, text } from '../fields.js';
import { PHONE_NUMBER_TYPES } from '../value-sets.js';

/** Reference G3, phone number. */
export const phoneNumber = defineLine<PhoneNumberModel>()({
  model: 'PhoneNumber',
  table: 'phone_numbers',
  list: 'phoneNumbers',
  path: 'accounting/phone_numbers',
  dataModel: 'PHONE_NUMBERS',
  category: 'ACCOUNTING',
  fields: {
    number: text('number'),
    type: oneOf('type', PHONE_NUMBER_TYPES),
  },
  rest: { metadata: ['svcId', 'platformId'] },
});
