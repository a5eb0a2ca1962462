import { type contact } from '../../../records/index.js';
import { type CONTACT_TYPES } from '../../../records/value-sets.js';
import { type PlatformObject } from '../../platform.js';
import { type UnifiedRecord } from '../../pull.js';
import { booleanOf, textOf } from '../../values/platform-values.js';
import { timestampOf } from '../dates.js';
import { toAddresses, toExternalLinks, toPhoneNumbers } from './contact-details.js';
import { platformIdOf } from './platform-id.js';
import { contactStatus } from './status.js';

/** A contact: a customer, a supplier, both, or neither yet. */
export function toContact(object: PlatformObject): UnifiedRecord<typeof contact> {
  const names = [textOf(object['FirstName']), textOf(object['LastName'])].filter((name) => name !== null);
  const platformId = platformIdOf(object, 'ContactID');
  return {
    platformId,
    values: {
      name: textOf(object['Name']),
      contactName: names.length === 0 ? null : names.join(' '),
      contactType: contactTypeOf(object),
      currencyId: textOf(object['DefaultCurrency']),
      taxNumber: textOf(object['TaxNumber']),
      registrationNumber: textOf(object['CompanyNumber']),
      status: contactStatus(textOf(object['ContactStatus'])),
      updatedAt: timestampOf(object['UpdatedDateUTC']),
    },
    lines: {
      phoneNumbers: toPhoneNumbers(object),
      addresses: toAddresses(object, platformId),
      externalLinks: toExternalLinks(object),
    },
  };
}

/** Xero sets the flags only once there is a document. A contact that is both counts as a customer. */
function contactTypeOf(object: PlatformObject): (typeof CONTACT_TYPES)[number] | null {
  if (booleanOf(object['IsCustomer'])) return 'CUSTOMER';
  if (booleanOf(object['IsSupplier'])) return 'VENDOR';
  return null;
}
