import { type z } from 'zod';

import { type itemOf } from '../../inputs/fields.js';
import { type addressShape } from '../../inputs/masters.js';
import { type PlatformObject } from '../../connector.js';

/** One name of ours is two of Xero's: the last word is the family's. Both are said, so that none is left over. */
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

/** The numbers that are given, each whole; Xero leaves those of other kinds as they are. */
export function toXeroPhones({ telephone, mobile, fax }: Numbers): PlatformObject[] | undefined {
  const phones = Object.entries({ DEFAULT: telephone, MOBILE: mobile, FAX: fax }).flatMap(
    ([PhoneType, PhoneNumber]) =>
      PhoneNumber === undefined ? [] : [{ PhoneType, PhoneNumber, PhoneAreaCode: '', PhoneCountryCode: '' }],
  );
  return phones.length > 0 ? phones : undefined;
}

type Address = z.output<ReturnType<typeof itemOf<typeof addressShape, never>>>;

/** A whole address: what it does not name is empty. The street is read back with its locality in it. */
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

/** The lines of a street that stand before its locality and behind it. */
function aroundLocality(
  street: string,
  locality: string,
): { readonly before: string; readonly behind: string } {
  const [lines, line] = [`, ${street}, `, `, ${locality}, `];
  const at = locality === '' ? -1 : lines.indexOf(line);
  if (at === -1) return { before: street, behind: '' };
  return { before: lines.slice(2, at), behind: lines.slice(at + line.length, -2) };
}
