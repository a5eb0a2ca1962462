import { type address, type contact, type externalLink, type phoneNumber } from '../../../records/index.js';
import { type PlatformObject } from '../../platform.js';
import { type UnifiedLine, type UnifiedRecord } from '../../pull.js';
import { objectOf, objectsIn, textOf } from '../../values/platform-values.js';
import { changedAt } from '../times.js';
import { activityOf, platformIdOf } from './values.js';

/** A customer or a vendor. Who is both has a contact of each kind. */
export function toContact(object: PlatformObject): UnifiedRecord<typeof contact> {
  const platformId = platformIdOf(object, 'contact_id');
  const person =
    objectsIn(object['contact_persons']).find((one) => one['is_primary_contact'] === true) ?? object;
  const names = [person['first_name'], person['last_name']].flatMap((name) => textOf(name) ?? []);
  return {
    platformId,
    values: {
      name: textOf(object['contact_name']),
      contactName: names.length === 0 ? null : names.join(' '),
      contactType: typeOf(object['contact_type']),
      currencyId: textOf(object['currency_id']),
      taxNumber:
        ['gst_no', 'vat_reg_no', 'tax_reg_no', 'tax_id_value']
          .map((name) => textOf(object[name]))
          .find((number) => number !== null) ?? null,
      status: activityOf(object),
      updatedAt: changedAt(object),
    },
    lines: {
      phoneNumbers: [
        ...numberOf('TELEPHONE', person['phone']),
        ...numberOf('MOBILE', person['mobile']),
        ...numberOf('FAX', objectOf(object['billing_address'])?.['fax']),
      ],
      addresses: toAddresses('CONTACTS', platformId, object),
      externalLinks: [...linkOf('EMAIL', person['email']), ...linkOf('WEBSITE', object['website'])],
    },
  };
}

function typeOf(word: unknown): 'CUSTOMER' | 'VENDOR' | null {
  if (word === 'customer') return 'CUSTOMER';
  return word === 'vendor' ? 'VENDOR' : null;
}

function numberOf(type: 'TELEPHONE' | 'MOBILE' | 'FAX', value: unknown): UnifiedLine<typeof phoneNumber>[] {
  const number = textOf(value);
  return number === null ? [] : [{ platformId: null, values: { number, type } }];
}

function linkOf(type: 'EMAIL' | 'WEBSITE', value: unknown): UnifiedLine<typeof externalLink>[] {
  const link = textOf(value);
  return link === null ? [] : [{ platformId: null, values: { link, type } }];
}

/** The addresses that are there, by their types. */
export const toAddresses = (
  dataModel: 'CONTACTS' | 'PURCHASE_ORDERS' | 'SALES_ORDERS',
  dataModelId: string,
  object: PlatformObject,
): UnifiedLine<typeof address>[] =>
  (['BILLING', 'SHIPPING'] as const).flatMap((type) => {
    const given =
      objectOf(object[`${type.toLowerCase()}_address`]) ??
      (type === 'SHIPPING' ? objectOf(object['delivery_address']) : null);
    if (!given) return [];
    // Addresses of delivery have names of their own.
    const street2 = textOf(given['street2']) ?? textOf(given['address2']);
    const street1 = textOf(given['address']) ?? textOf(given['address1']);
    const streets = [street1, street2].filter((street) => street !== null);
    const place = {
      street: streets.length === 0 ? null : streets.join(', '),
      locality: street2,
      city: textOf(given['city']),
      state: textOf(given['state']),
      pincode: textOf(given['zip']),
      country: textOf(given['country']),
    };
    if (Object.values(place).every((part) => part === null)) return [];
    return [{ platformId: null, values: { dataModel, dataModelId, type, ...place } }];
  });
