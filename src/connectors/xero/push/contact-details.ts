import { type z } from 'zod';

import { type itemOf } from '../../inputs/fields.js';
import { type addressShape } from '../../inputs/masters.js';
import { aroundLocality } from '../../inputs/street.js';
import { type PlatformObject } from '../../platform.js';

/** Splits a name for Xero: the last word is the last name. Both parts are always sent, so that no old one remains. */
export function writtenName(contactName: string | undefined): PlatformObject {
  if (contactName === undefined) return {};
  const words = contactName.trim().split(/\s+/);
  const last = words.length > 1 ? words.pop() : '';
  return { FirstName: words.join(' '), LastName: last };
}

interface Numbers {
  readonly telephone?: string | undefined;
  readonly mobile?: string | undefined;
  readonly fax?: string | undefined;
}

/** The given numbers, each complete; Xero keeps those of other kinds. */
export function toXeroPhones({ telephone, mobile, fax }: Numbers): PlatformObject[] | undefined {
  const phones = Object.entries({ DEFAULT: telephone, MOBILE: mobile, FAX: fax }).flatMap(
    ([PhoneType, PhoneNumber]) =>
      PhoneNumber === undefined ? [] : [{ PhoneType, PhoneNumber, PhoneAreaCode: '', PhoneCountryCode: '' }],
  );
  return phones.length > 0 ? phones : undefined;
}

type Address = z.output<ReturnType<typeof itemOf<typeof addressShape, never>>>;

/** A complete address, empty where not given. On reading, the street includes the locality. */
export function toXeroAddress(address: Address): PlatformObject {
  const { street = '', locality = '', city = '', state = '', pincode = '', country = '' } = address;
  const { before, behind } = aroundLocality(street, locality);
  return {
    AddressType: address.type === 'SHIPPING' ? 'STREET' : 'POBOX',
    AddressLine1: before,
    AddressLine2: locality,
    AddressLine3: behind,
    AddressLine4: '',
    City: city,
    Region: state,
    PostalCode: pincode,
    Country: country,
  };
}
