import { type address, type contact, type externalLink, type phoneNumber } from '../../../records/index.js';
import { type PlatformObject } from '../../platform.js';
import { type Lookups, type UnifiedLine, type UnifiedRecord } from '../../pull.js';
import { objectOf, textOf } from '../../values/platform-values.js';
import { markOf } from '../kinds.js';
import { activityOf, currencyOf, isUnresolved, updatedAtOf } from './values.js';

/** A customer or a vendor. A customer's projects and sub-customers are customers, too. */
export function toContact(object: PlatformObject, lookups: Lookups): UnifiedRecord<typeof contact> {
  const { entity, platformId } = markOf(object);
  const names = ['GivenName', 'MiddleName', 'FamilyName'].map((name) => textOf(object[name]));
  return {
    platformId,
    unresolved: isUnresolved(object, lookups),
    values: {
      name: textOf(object['DisplayName']),
      contactName: joined(' ', names),
      contactType: entity === 'Vendor' ? 'VENDOR' : 'CUSTOMER',
      currencyId: currencyOf(object, lookups).currencyId,
      taxNumber: textOf(object['PrimaryTaxIdentifier']) ?? textOf(object['TaxIdentifier']),
      registrationNumber: textOf(object['BusinessNumber']),
      status: activityOf(object),
      updatedAt: updatedAtOf(object),
    },
    lines: {
      phoneNumbers: toPhoneNumbers(object),
      addresses: toAddresses('CONTACTS', platformId, {
        BILLING: object['BillAddr'],
        SHIPPING: object['ShipAddr'],
      }),
      externalLinks: [
        ...linksOf('EMAIL', objectOf(object['PrimaryEmailAddr'])?.['Address']),
        ...linksOf('WEBSITE', objectOf(object['WebAddr'])?.['URI']),
      ],
    },
  };
}

const PHONES = {
  PrimaryPhone: 'TELEPHONE',
  AlternatePhone: 'TELEPHONE',
  Mobile: 'MOBILE',
  Fax: 'FAX',
} as const;

const toPhoneNumbers = (object: PlatformObject): UnifiedLine<typeof phoneNumber>[] =>
  Object.entries(PHONES).flatMap(([name, type]) => {
    const number = textOf(objectOf(object[name])?.['FreeFormNumber']);
    return number === null ? [] : [{ platformId: null, values: { number, type } }];
  });

function linksOf(type: 'EMAIL' | 'WEBSITE', value: unknown): UnifiedLine<typeof externalLink>[] {
  const link = textOf(value);
  return link === null ? [] : [{ platformId: null, values: { link, type } }];
}

/** The addresses that are there, by their types. */
export const toAddresses = (
  dataModel: 'CONTACTS' | 'PURCHASE_ORDERS',
  dataModelId: string,
  addresses: Readonly<Record<'BILLING' | 'SHIPPING', unknown>>,
): UnifiedLine<typeof address>[] =>
  (['BILLING', 'SHIPPING'] as const).flatMap((type) => {
    const object = objectOf(addresses[type]);
    if (!object) return [];
    const place = {
      street: joined(
        ', ',
        [1, 2, 3, 4, 5].map((line) => textOf(object[`Line${line}`])),
      ),
      locality: textOf(object['Line2']),
      city: textOf(object['City']),
      state: textOf(object['CountrySubDivisionCode']),
      pincode: textOf(object['PostalCode']),
      country: textOf(object['Country']),
    };
    if (Object.values(place).every((part) => part === null)) return [];
    return [{ platformId: null, values: { dataModel, dataModelId, type, ...place } }];
  });

function joined(separator: string, parts: readonly (string | null)[]): string | null {
  const texts = parts.filter((part) => part !== null);
  return texts.length === 0 ? null : texts.join(separator);
}
