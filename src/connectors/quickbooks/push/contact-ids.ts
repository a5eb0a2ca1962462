import { type CONTACT_TYPES } from '../../../records/value-sets.js';
import { type PlatformObject } from '../../platform.js';
import { name, REFERENCES } from '../../inputs/fields.js';
import { listOfNames, marked, ownIdOf } from '../kinds.js';
import { refTo } from './values.js';

type ContactType = (typeof CONTACT_TYPES)[number];

export const CONTACT_KINDS = {
  CUSTOMER: marked(listOfNames('Customer')),
  VENDOR: marked(listOfNames('Vendor')),
} as const satisfies Record<ContactType, unknown>;

/** QuickBooks' id of a contact of this type; undefined for others. */
export function numberOf(type: ContactType, platformId: string): string | undefined {
  const id = ownIdOf(CONTACT_KINDS[type], platformId) ?? '';
  return /^\d+$/.test(id) ? id : undefined;
}

const contactId = (type: ContactType, words: string) =>
  name()
    .refine((id) => numberOf(type, id) !== undefined, words)
    .meta({ [REFERENCES]: 'CONTACTS' });

export const customerId = () => contactId('CUSTOMER', 'must be the id of a customer, such as customer:12');
export const vendorId = () => contactId('VENDOR', 'must be the id of a vendor, such as vendor:7');

/** A reference to a customer or vendor by our id. */
export const contactRef = (platformId: string | undefined): PlatformObject | undefined =>
  platformId === undefined
    ? undefined
    : refTo(numberOf('CUSTOMER', platformId) ?? numberOf('VENDOR', platformId));
