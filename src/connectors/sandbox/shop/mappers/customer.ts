import { type ecommerceCustomer } from '../../../../records/index.js';
import { type RECORD_STATUSES } from '../../../../records/value-sets.js';
import { type PlatformObject } from '../../../platform.js';
import { type UnifiedRecord } from '../../../pull.js';
import { objectOf, textOf } from '../../../values/platform-values.js';
import { instantOf } from '../../../values/times.js';
import { gidOf } from '../gid.js';

/** A customer of the shop. */
export function toCustomer(object: PlatformObject): UnifiedRecord<typeof ecommerceCustomer> {
  const currency = textOf(object['currency']);
  const address = objectOf(object['default_address']);
  return {
    ...gidOf(object),
    values: {
      name: nameOf(object),
      email: textOf(object['email']),
      phone: textOf(object['phone']),
      currencyId: currency,
      currencyCode: currency,
      status: statusOf(object['state']),
      // A customer has a single address, the billing address.
      addressType: address && 'BILLING',
      addressStreet: textOf(address?.['address1']),
      addressLocality: textOf(address?.['address2']),
      addressCity: textOf(address?.['city']),
      addressState: textOf(address?.['province']),
      addressPincode: textOf(address?.['zip']),
      addressCountry: textOf(address?.['country']),
      createdAt: instantOf(object['created_at']),
      updatedAt: instantOf(object['updated_at']),
    },
  };
}

function nameOf(object: PlatformObject): string | null {
  const names = [object['first_name'], object['last_name']].map(textOf).filter((name) => name !== null);
  return names.length === 0 ? null : names.join(' ');
}

function statusOf(state: unknown): (typeof RECORD_STATUSES)[number] {
  if (state === 'enabled') return 'ACTIVE';
  return state === 'disabled' ? 'ARCHIVED' : 'UNKNOWN';
}
