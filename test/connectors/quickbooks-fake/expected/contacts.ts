import { type UnifiedLine, type UnifiedRecord } from '../../../../src/connectors/pull.js';
import { type Contact, type PostalAddress } from '../domain.js';
import { kindId } from '../models.js';
import { statusOf } from './settings.js';

export function expectedContact(contact: Contact): UnifiedRecord {
  const person = [contact.given, contact.middle, contact.family].filter((name) => name !== null);
  const id = kindId(contact);
  return {
    platformId: id,
    values: {
      name: contact.name,
      contactName: person.length > 0 ? person.join(' ') : null,
      contactType: contact.kind.toUpperCase(),
      currencyId: contact.currency.code,
      taxNumber: contact.taxNumber,
      status: statusOf(contact),
      updatedAt: contact.updatedAt.toISOString(),
    },
    lines: {
      phoneNumbers: [
        ...phone('TELEPHONE', contact.phone),
        ...phone('TELEPHONE', contact.alternatePhone),
        ...phone('MOBILE', contact.mobile),
        ...phone('FAX', contact.fax),
      ],
      externalLinks: [...link('EMAIL', contact.email), ...link('WEBSITE', contact.website)],
      addresses: [
        ...addressOf('BILLING', contact.billing, { dataModel: 'CONTACTS', dataModelId: id }),
        // Vendors have one address.
        ...(contact.kind === 'Customer'
          ? addressOf('SHIPPING', contact.shipping, { dataModel: 'CONTACTS', dataModelId: id })
          : []),
      ],
    },
  };
}

const line = (values: object): UnifiedLine => ({ platformId: null, values });

const phone = (type: string, number: string | null): UnifiedLine[] =>
  number === null ? [] : [line({ number, type })];

const link = (type: string, text: string | null): UnifiedLine[] =>
  text === null ? [] : [line({ link: text, type })];

/** One of which nothing is known is none. */
export function addressOf(
  type: 'BILLING' | 'SHIPPING',
  at: PostalAddress | null,
  parent: { readonly dataModel: string; readonly dataModelId: string },
): UnifiedLine[] {
  if (!at || at.lines.length === 0) return [];
  return [
    line({
      ...parent,
      type,
      street: at.lines.join(', '),
      locality: at.lines[1],
      city: at.city,
      state: at.state,
      pincode: at.postalCode,
      country: at.country,
    }),
  ];
}
