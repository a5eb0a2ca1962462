import { type CustomFieldPlace } from '../../../connector.js';

/** Where partners, products and documents have what a customer of Books has added. */
export const customFields: CustomFieldPlace = {
  list: 'CustomFields',
  id: 'Id',
  name: 'Name',
  value: 'Value',
  type: 'Kind',
};
