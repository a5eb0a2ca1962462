import {
  type address,
  type externalLink,
  type paymentCustomer,
  type phoneNumber,
} from '../../../records/index.js';
import { type PlatformObject } from '../../platform.js';
import { type UnifiedLine, type UnifiedRecord } from '../../pull.js';
import { currencyCodeOf, objectOf, objectsIn, textOf } from '../../values/platform-values.js';
import { instantOfSeconds } from '../../values/times.js';
import { idOf } from './id.js';

/** A paying customer. */
export function toCustomer(object: PlatformObject): UnifiedRecord<typeof paymentCustomer> {
  const platformId = idOf(object);
  const currency = currencyCodeOf(object['currency']);
  const [taxId] = objectsIn(objectOf(object['tax_ids'])?.['data']);
  return {
    platformId,
    values: {
      name: textOf(object['name']),
      taxNumber: textOf(taxId?.['value']),
      currencyId: currency,
      currencyCode: currency,
      createdAt: instantOfSeconds(object['created']),
    },
    lines: {
      externalLinks: toLinks(object),
      phoneNumbers: toPhoneNumbers(object),
      addresses: [
        ...toAddress('BILLING', object['address'], platformId),
        ...toAddress('SHIPPING', objectOf(object['shipping'])?.['address'], platformId),
      ],
    },
  };
}

function toLinks(object: PlatformObject): UnifiedLine<typeof externalLink>[] {
  const link = textOf(object['email']);
  return link === null ? [] : [{ platformId: null, values: { link, type: 'EMAIL' } }];
}

function toPhoneNumbers(object: PlatformObject): UnifiedLine<typeof phoneNumber>[] {
  const number = textOf(object['phone']);
  return number === null ? [] : [{ platformId: null, values: { number, type: null } }];
}

function toAddress(
  type: 'BILLING' | 'SHIPPING',
  value: unknown,
  customerId: string,
): UnifiedLine<typeof address>[] {
  const place = objectOf(value);
  if (!place) return [];
  const values = {
    dataModel: 'PAYMENT_CUSTOMERS',
    dataModelId: customerId,
    type,
    street: textOf(place['line1']),
    locality: textOf(place['line2']),
    city: textOf(place['city']),
    state: textOf(place['state']),
    pincode: textOf(place['postal_code']),
    country: textOf(place['country']),
  };
  return [{ platformId: null, values }];
}
