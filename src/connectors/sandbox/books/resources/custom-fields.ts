import { type CustomFieldPlace } from '../../../pull.js';

/** Where partners, products and documents hold custom fields. */
export const customFields: CustomFieldPlace = {
  list: 'CustomFields',
  id: 'Id',
  name: 'Name',
  value: 'Value',
  type: 'Kind',
};
