import { type CustomFieldPlace } from '../../../connector.js';

/** Where partners, products and documents hold custom fields. */
export const customFields: CustomFieldPlace = {
  list: 'CustomFields',
  id: 'Id',
  name: 'Name',
  value: 'Value',
  type: 'Kind',
};
