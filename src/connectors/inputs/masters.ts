import { z } from 'zod';

import {
  ACCOUNT_CATEGORIES,
  ADDRESS_TYPES,
  CONTACT_TYPES,
  ITEM_TYPES,
  RECORD_STATUSES,
} from '../../records/value-sets.js';
import { customFields } from './custom-fields.js';
import { choice, decimal, flag, itemOf, name, rawData, reference, text } from './fields.js';

/** Write items of master records: accounts, items, contacts (Reference 4.2, G4). */

const platform_id = text(200);

export const accountShape = {
  platform_id,
  name: name(),
  description: text(),
  nominal_code: text(50),
  category: choice(ACCOUNT_CATEGORIES),
  sub_category: text(100),
  status: choice(RECORD_STATUSES),
  currency_id: reference('CURRENCIES'),
  parent_account_id: reference('ACCOUNTS'),
  raw_data: rawData(),
};

const terms = itemOf({
  account_id: reference('ACCOUNTS'),
  tax_id: reference('TAX_RATES'),
  unit_price: decimal(),
  description: text(),
});

export const itemShape = {
  platform_id,
  name: name(),
  description: text(),
  code: text(50),
  type: choice(ITEM_TYPES),
  status: choice(RECORD_STATUSES),
  quantity_on_hand: decimal(),
  is_bill_item: flag(),
  bill_item: terms,
  is_invoice_item: flag(),
  invoice_item: terms,
  custom_fields: customFields(),
  raw_data: rawData(),
};

export const addressShape = {
  type: choice(ADDRESS_TYPES),
  street: text(200),
  locality: text(200),
  city: text(200),
  state: text(200),
  pincode: text(50),
  country: text(200),
};
const address = itemOf(addressShape);

/** Phone numbers and links are plain fields in writes (Reference G4). */
export const contactShape = {
  platform_id,
  name: name(),
  contact_name: text(200),
  contact_type: choice(CONTACT_TYPES),
  currency_id: reference('CURRENCIES'),
  tax_number: text(50),
  registration_number: text(50),
  status: choice(RECORD_STATUSES),
  email: text(254),
  website: text(2000),
  telephone: text(50),
  mobile: text(50),
  fax: text(50),
  addresses: z.array(address, { error: 'must be a list of addresses' }).max(20, 'must have at most 20'),
  custom_fields: customFields(),
  raw_data: rawData(),
};
