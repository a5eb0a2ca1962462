import { type Contact, type Currency } from '../domain.js';
import { guidOf, indexes, kept, nth } from './kept.js';

const FIRST_NAMES = ['Aroha', 'Ben', 'Chloé', 'Dmitri', 'Eun-ji'];
const CITIES = [
  ['Auckland', 'Auckland', '1010', 'New Zealand'],
  ['Wellington', 'Wellington', '6011', 'New Zealand'],
  ['Seattle', 'WA', '98101', 'United States'],
] as const;

export function makeContacts(currencies: readonly Currency[]): Contact[] {
  return indexes(1030).map((index) => {
    // The last ten were entered and never traded with.
    const isTraded = index < 120;
    const [city, region, postalCode, country] = nth(CITIES, index);
    const name = `Contact ${index} Limited`;
    return {
      ...kept(guidOf(`contact ${index}`), index, index % 17 === 5 ? 'ARCHIVED' : 'ACTIVE'),
      name,
      firstName: index % 4 === 0 ? null : nth(FIRST_NAMES, index),
      lastName: index % 3 === 0 ? null : `Surname ${index}`,
      email: index % 5 === 0 ? null : `contact${index}@example.com`,
      website: index % 6 === 0 ? `https://contact${index}.example.com` : null,
      taxNumber: index % 2 === 0 ? `11-222-${index}` : null,
      companyNumber: index % 8 === 0 ? `NZBN${index}` : null,
      currency: index % 3 === 2 ? nth(currencies, index) : null,
      isCustomer: isTraded && index % 3 !== 1,
      isSupplier: isTraded && index % 3 !== 0,
      phone: index % 4 === 1 ? null : ['64', '09', `555 ${index}`],
      mobile: index % 6 === 2 ? `021 ${index}` : null,
      postal:
        index % 5 === 4
          ? null
          : {
              lines: nth([['1 Queen Street'], ['Level 2', '3 King Street']], index),
              city,
              region,
              postalCode,
              country,
            },
    };
  });
}
