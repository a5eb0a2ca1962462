import type { UnifiedRecord } from '../../../connectors/pull.js';
import type { ecommerceCustomer } from '../../../records/index.js';
import { type ShopObject, shopTime } from '../objects.js';
import type { ShopNames } from './names.js';

export function toCustomer(record: UnifiedRecord, names: ShopNames): ShopObject {
  const { values } = record as UnifiedRecord<typeof ecommerceCustomer>;
  const [first, last] = (values.name ?? '').split(' ');
  const own = {
    first_name: first,
    last_name: last,
    email: values.email,
    phone: values.phone,
    state: values.status === 'ARCHIVED' ? 'disabled' : 'enabled',
    currency: values.currencyCode,
    note: null,
    tags: '',
    default_address: {
      address1: values.addressStreet,
      address2: values.addressLocality,
      city: values.addressCity,
      province: values.addressState,
      zip: values.addressPincode,
      country: values.addressCountry,
    },
  };
  return {
    id: names.id('customers', record.platformId),
    created_at: shopTime(values.createdAt ?? ''),
    updated_at: shopTime(values.updatedAt ?? ''),
    ...own,
  };
}
