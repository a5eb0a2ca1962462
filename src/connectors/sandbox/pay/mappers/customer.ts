import {
  type address,
  type externalLink,
  type paymentCustomer,
  type phoneNumber,
} from '../../../../records/index.js';
import { type EXTERNAL_LINK_TYPES, type PHONE_NUMBER_TYPES } from '../../../../records/value-sets.js';
import { type PlatformObject } from '../../../platform.js';
import { type UnifiedLine, type UnifiedRecord } from '../../../pull.js';
import { currencyCodeOf, objectOf, objectsIn, textOf } from '../../../values/platform-values.js';
import { instantOfSeconds } from '../../../values/times.js';
import { idOf } from './id.js';

/** A paying customer. */
export function toCustomer(object: PlatformObject): UnifiedRecord<typeof paymentCustomer> {
  const platformId = idOf(object);
  const currency = currencyCodeOf(object['currency']);
  return {
    platformId,
    values: {
      name: textOf(object['name']),
      taxNumber: textOf(object['tax_id']),
      currencyId: currency,
      currencyCode: currency,
      createdAt: instantOfSeconds(object['created']),
    },
    lines: {
      externalLinks: [...linkLines('EMAIL', object['email']), ...linkLines('WEBSITE', object['website'])],
      phoneNumbers: toPhoneNumbers(object),
      addresses: toAddresses(object, platformId),
    },
  };
}

function linkLines(
  type: (typeof EXTERNAL_LINK_TYPES)[number],
  value: unknown,
): UnifiedLine<typeof externalLink>[] {
  const link = textOf(value);
  return link === null ? [] : [{ platformId: null, values: { link, type } }];
}

function toPhoneNumbers(object: PlatformObject): UnifiedLine<typeof phoneNumber>[] {
  return objectsIn(object['phones']).map((phone) => ({
    platformId: null,
    values: { number: textOf(phone['number']), type: phoneType(phone['type']) },
  }));
}

function phoneType(word: unknown): (typeof PHONE_NUMBER_TYPES)[number] | null {
  if (word === 'landline') return 'TELEPHONE';
  if (word === 'mobile') return 'MOBILE';
  return word === 'fax' ? 'FAX' : null;
}

/** A customer has a single address, the billing address. */
function toAddresses(object: PlatformObject, customerId: string): UnifiedLine<typeof address>[] {
  const place = objectOf(object['address']);
  if (!place) return [];
  const values = {
    dataModel: 'PAYMENT_CUSTOMERS',
    dataModelId: customerId,
    type: 'BILLING',
    street: textOf(place['line1']),
    locality: textOf(place['line2']),
    city: textOf(place['city']),
    state: textOf(place['state']),
    pincode: textOf(place['postal_code']),
    country: textOf(place['country']),
  };
  return [{ platformId: null, values }];
}
