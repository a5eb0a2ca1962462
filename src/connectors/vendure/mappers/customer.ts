import { type ecommerceCustomer } from '../../../records/index.js';
import { type PlatformObject } from '../../platform.js';
import { type UnifiedRecord } from '../../pull.js';
import { objectOf, objectsIn, textOf } from '../../values/platform-values.js';
import { requiredId } from '../pages.js';
import { instantOf } from '../../values/times.js';

/** Fields read by `toCustomer`. */
export const CUSTOMER_FIELDS = `
  createdAt firstName lastName emailAddress phoneNumber
  addresses {
    id streetLine1 streetLine2 city province postalCode country { code }
    defaultBillingAddress defaultShippingAddress
  }`;

/** A customer, registered or guest; Vendure does not list deleted ones. */
export function toCustomer(customer: PlatformObject): UnifiedRecord<typeof ecommerceCustomer> {
  const { address, type } = addressOf(customer);
  return {
    platformId: requiredId(customer),
    values: {
      name: nameOf(customer),
      email: textOf(customer['emailAddress']),
      phone: textOf(customer['phoneNumber']),
      status: 'ACTIVE',
      addressType: type,
      addressStreet: textOf(address?.['streetLine1']),
      addressLocality: textOf(address?.['streetLine2']),
      addressCity: textOf(address?.['city']),
      addressState: textOf(address?.['province']),
      addressPincode: textOf(address?.['postalCode']),
      addressCountry: textOf(objectOf(address?.['country'])?.['code']),
      createdAt: instantOf(customer['createdAt']),
      updatedAt: instantOf(customer['updatedAt']),
    },
  };
}

interface Found {
  readonly address: PlatformObject | null;
  readonly type: 'BILLING' | 'SHIPPING' | null;
}

/** The default billing address, or else the default shipping address. */
function addressOf(customer: PlatformObject): Found {
  const addresses = objectsIn(customer['addresses']);
  const billing = addresses.find((address) => address['defaultBillingAddress'] === true);
  if (billing) return { address: billing, type: 'BILLING' };
  const shipping = addresses.find((address) => address['defaultShippingAddress'] === true);
  return shipping ? { address: shipping, type: 'SHIPPING' } : { address: null, type: null };
}

function nameOf(customer: PlatformObject): string | null {
  const names = [customer['firstName'], customer['lastName']].map(textOf).filter((name) => name !== null);
  return names.length === 0 ? null : names.join(' ');
}
