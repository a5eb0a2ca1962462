import { type Records } from '../../pulls.js';
import { type Pick, type WriteSample } from '../../write-samples.js';

export function contactSamples(pick: Pick, living: Records): WriteSample {
  const vendor = pick(
    'CONTACTS',
    ({ contactType, status }) => contactType === 'VENDOR' && status === 'ACTIVE',
  );
  const taken = (living.get('CONTACTS') ?? []).find(({ platformId }) => platformId === vendor)?.values as {
    readonly name: string;
  };
  const retired = pick('CURRENCIES', ({ code }) => code === 'ANG');
  const customer = { name: 'Rodeo & Sons', contact_type: 'CUSTOMER' };
  return {
    creates: [
      customer,
      {
        name: 'Paper mill',
        contact_type: 'VENDOR',
        contact_name: 'Grace',
        currency_id: pick('CURRENCIES', ({ code }) => code === 'EUR'),
        status: 'ACTIVE',
        addresses: [
          { type: 'BILLING', street: 'Hauptstr. 1', city: 'Köln', pincode: '50667', country: 'DE' },
        ],
      },
      {
        ...customer,
        name: 'Rodeo worldwide',
        contact_name: 'Ada King Lovelace',
        currency_id: pick('CURRENCIES', ({ code }) => code === 'CAD'),
        status: 'ACTIVE',
        email: 'ada@rodeo.example',
        website: 'http://rodeo.example',
        telephone: '(650) 555-0100',
        mobile: '(406) 555-0101',
        fax: '(520) 555-0102',
        addresses: [
          {
            type: 'BILLING',
            street: 'Suite 5, Ocean Building, 5 Bay Dr.',
            locality: 'Ocean Building',
            city: 'Bayshore',
            state: 'CA',
            pincode: '94001',
            country: 'USA',
          },
          { type: 'SHIPPING', street: '7 Pier' },
        ],
      },
    ],
    update: {
      item: {
        contact_name: 'Grace',
        email: 'grace@rodeo.example',
        telephone: '1',
        addresses: [
          { type: 'BILLING', street: '1 New St.' },
          { type: 'SHIPPING', street: '7 Pier' },
        ],
      },
      also: ['externalLinks', 'phoneNumbers', 'addresses'],
    },
    refused: [
      // Vendors and customers share their names.
      { item: { ...customer, name: taken.name }, code: 'record-already-exists', field: 'name' },
      { item: { ...customer, name: 'Odd', email: 'nobody' }, code: 'invalid-params', field: 'email' },
      {
        item: { ...customer, name: 'Old', currency_id: retired },
        code: 'invalid-params',
        field: 'currency_id',
      },
    ],
  };
}
