import { type contact, type externalLink, type phoneNumber } from '../../../../records/index.js';
import {
  type CONTACT_TYPES,
  type EXTERNAL_LINK_TYPES,
  type PHONE_NUMBER_TYPES,
} from '../../../../records/value-sets.js';
import { type PlatformObject } from '../../../platform.js';
import { type Lookups, type UnifiedLine, type UnifiedRecord } from '../../../pull.js';
import { objectsIn, textOf, textsIn } from '../../../values/platform-values.js';
import { instantOf } from '../../../values/times.js';
import { toAddresses } from './address.js';
import { codesFrom } from './codes.js';
import { guidOf } from './guid.js';
import { recordStatus } from './words.js';

/** A customer or a supplier. */
export function toContact(object: PlatformObject, lookups: Lookups): UnifiedRecord<typeof contact> {
  const platformId = guidOf(object);
  const codes = codesFrom(lookups);
  const values = {
    name: textOf(object['Title']),
    contactName: textOf(object['Person']),
    contactType: contactTypeOf(object['Role']),
    currencyId: codes.currency(object['Currency']),
    taxNumber: textOf(object['TaxRegistration']),
    registrationNumber: textOf(object['CompanyRegistration']),
    status: recordStatus(object['State']),
    updatedAt: instantOf(object['ChangedOn']),
  };
  return {
    platformId,
    unresolved: codes.unresolved(),
    values,
    lines: {
      phoneNumbers: toPhoneNumbers(object),
      addresses: toAddresses(object, { dataModel: 'CONTACTS', platformId }),
      externalLinks: [...linksOf('EMAIL', object['Emails']), ...linksOf('WEBSITE', object['Websites'])],
    },
  };
}

function contactTypeOf(role: unknown): (typeof CONTACT_TYPES)[number] | null {
  if (role === 'customer') return 'CUSTOMER';
  return role === 'supplier' ? 'VENDOR' : null;
}

function toPhoneNumbers(object: PlatformObject): UnifiedLine<typeof phoneNumber>[] {
  return objectsIn(object['Phones']).map((phone) => ({
    platformId: null,
    values: { number: textOf(phone['Number']), type: phoneType(phone['Use']) },
  }));
}

function phoneType(use: unknown): (typeof PHONE_NUMBER_TYPES)[number] | null {
  if (use === 'landline') return 'TELEPHONE';
  if (use === 'mobile') return 'MOBILE';
  return use === 'fax' ? 'FAX' : null;
}

function linksOf(
  type: (typeof EXTERNAL_LINK_TYPES)[number],
  links: unknown,
): UnifiedLine<typeof externalLink>[] {
  return textsIn(links).map((link) => ({ platformId: null, values: { link, type } }));
}
