import { type UnifiedLine, type UnifiedRecord } from '../../../../src/connectors/pull.js';
import { type Contact } from '../domain.js';

export function expectedContact(contact: Contact): UnifiedRecord {
  const person = [contact.firstName, contact.lastName].filter((name) => name !== null).join(' ');
  return {
    platformId: contact.id,
    values: {
      name: contact.name,
      contactName: person === '' ? null : person,
      contactType: contact.isCustomer ? 'CUSTOMER' : contact.isSupplier ? 'VENDOR' : null,
      currencyId: contact.currency?.id,
      taxNumber: contact.taxNumber,
      registrationNumber: contact.companyNumber,
      status: contact.status,
      updatedAt: contact.updatedAt.toISOString(),
    },
    lines: {
      phoneNumbers: [
        ...nameless(contact.phone && { number: contact.phone.join(' '), type: 'TELEPHONE' }),
        ...nameless(contact.mobile === null ? null : { number: contact.mobile, type: 'MOBILE' }),
      ],
      addresses: nameless(addressOf(contact)),
      externalLinks: [
        ...nameless(contact.email === null ? null : { link: contact.email, type: 'EMAIL' }),
        ...nameless(contact.website === null ? null : { link: contact.website, type: 'WEBSITE' }),
      ],
    },
  };
}

/** Where post goes is where bills go. */
function addressOf({ id, postal }: Contact): object | null {
  return (
    postal && {
      dataModel: 'CONTACTS',
      dataModelId: id,
      type: 'BILLING',
      street: postal.lines.join(', '),
      locality: postal.lines[1],
      city: postal.city,
      state: postal.region,
      pincode: postal.postalCode,
      country: postal.country,
    }
  );
}

const nameless = (values: object | null): UnifiedLine[] => (values ? [{ platformId: null, values }] : []);
