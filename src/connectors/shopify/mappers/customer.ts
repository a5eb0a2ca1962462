import { type ecommerceCustomer } from '../../../records/index.js';
import { type PlatformObject } from '../../platform.js';
import { type UnifiedRecord } from '../../pull.js';
import { objectOf, textOf } from '../../values/platform-values.js';
import { instantOf } from '../../values/times.js';
import { idsOf } from './values.js';

/** Fields read by `toCustomer`. */
export const CUSTOMER_FIELDS = `
  createdAt firstName lastName
  defaultEmailAddress { emailAddress }
  defaultPhoneNumber { phoneNumber }
  amountSpent { currencyCode }
  defaultAddress { address1 address2 city province zip countryCodeV2 phone }`;

/** A customer, with an account or without one. */
export function toCustomer(customer: PlatformObject): UnifiedRecord<typeof ecommerceCustomer> {
  const currency = textOf(objectOf(customer['amountSpent'])?.['currencyCode']);
  const address = objectOf(customer['defaultAddress']);
  return {
    ...idsOf(customer),
    values: {
      name: nameOf(customer),
      email: textOf(objectOf(customer['defaultEmailAddress'])?.['emailAddress']),
      phone: textOf(objectOf(customer['defaultPhoneNumber'])?.['phoneNumber']) ?? textOf(address?.['phone']),
      currencyId: currency,
      currencyCode: currency,
      // The states of Shopify are those of an account in the shop, which a customer need not have.
      status: 'ACTIVE',
      // Shopify has no billing address but that of an order.
      addressType: address && 'SHIPPING',
      addressStreet: textOf(address?.['address1']),
      addressLocality: textOf(address?.['address2']),
      addressCity: textOf(address?.['city']),
      addressState: textOf(address?.['province']),
      addressPincode: textOf(address?.['zip']),
      addressCountry: textOf(address?.['countryCodeV2']),
      createdAt: instantOf(customer['createdAt']),
      updatedAt: instantOf(customer['updatedAt']),
    },
  };
}

function nameOf(customer: PlatformObject): string | null {
  const names = [customer['firstName'], customer['lastName']].map(textOf).filter((name) => name !== null);
  return names.length === 0 ? null : names.join(' ');
}
