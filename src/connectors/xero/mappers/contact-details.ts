import { type address, type externalLink, type phoneNumber } from '../../../records/index.js';
import {
  type ADDRESS_TYPES,
  type EXTERNAL_LINK_TYPES,
  type PHONE_NUMBER_TYPES,
} from '../../../records/value-sets.js';
import { type PlatformObject } from '../../platform.js';
import { type UnifiedLine } from '../../pull.js';
import { objectsIn, textOf } from '../../values/platform-values.js';

/** The phone numbers of a contact. Xero sends every kind, most of them empty. */
export function toPhoneNumbers(contact: PlatformObject): UnifiedLine<typeof phoneNumber>[] {
  return objectsIn(contact['Phones'])
    .map((phone) => ({
      number: joined(' ', phone['PhoneCountryCode'], phone['PhoneAreaCode'], phone['PhoneNumber']),
      type: phoneType(textOf(phone['PhoneType'])),
    }))
    .filter(({ number }) => number !== null)
    .map((values) => ({ platformId: null, values }));
}

function phoneType(word: string | null): (typeof PHONE_NUMBER_TYPES)[number] {
  return word === 'MOBILE' || word === 'FAX' ? word : 'TELEPHONE';
}

export function toAddresses(contact: PlatformObject, contactId: string): UnifiedLine<typeof address>[] {
  return objectsIn(contact['Addresses']).flatMap((object) => {
    const place = {
      street: joined(', ', ...[1, 2, 3, 4].map((line) => object[`AddressLine${line}`])),
      locality: textOf(object['AddressLine2']),
      city: textOf(object['City']),
      state: textOf(object['Region']),
      pincode: textOf(object['PostalCode']),
      country: textOf(object['Country']),
    };
    if (Object.values(place).every((part) => part === null)) return [];
    const type = addressType(textOf(object['AddressType']));
    return [{ platformId: null, values: { dataModel: 'CONTACTS', dataModelId: contactId, type, ...place } }];
  });
}

/** POBOX is the address for invoices, STREET the physical one. */
function addressType(word: string | null): (typeof ADDRESS_TYPES)[number] | null {
  switch (word) {
    case 'POBOX':
      return 'BILLING';
    case 'STREET':
    case 'DELIVERY':
      return 'SHIPPING';
    default:
      return null;
  }
}

export function toExternalLinks(contact: PlatformObject): UnifiedLine<typeof externalLink>[] {
  return [
    ...linkLines('EMAIL', textOf(contact['EmailAddress'])),
    ...linkLines('WEBSITE', textOf(contact['Website'])),
  ];
}

function linkLines(
  type: (typeof EXTERNAL_LINK_TYPES)[number],
  link: string | null,
): UnifiedLine<typeof externalLink>[] {
  return link === null ? [] : [{ platformId: null, values: { link, type } }];
}

function joined(separator: string, ...parts: readonly unknown[]): string | null {
  const texts = parts.map(textOf).filter((text) => text !== null);
  return texts.length === 0 ? null : texts.join(separator);
}
