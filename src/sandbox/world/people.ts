import type { UnifiedLine } from '../../connectors/pull.js';
import type { address, externalLink, phoneNumber } from '../../records/index.js';
import type { Random } from './random.js';
import { instant } from './time.js';

/** City, state, postcode, country, currency. */
export type City = readonly [city: string, state: string, pincode: string, country: string, currency: string];

/** Where contacts are, mostly at home; the first is the demo companies' own city. */
export const CITIES: readonly [City, ...City[]] = [
  ['Sydney', 'NSW', '2000', 'Australia', 'AUD'],
  ['Melbourne', 'VIC', '3000', 'Australia', 'AUD'],
  ['Brisbane', 'QLD', '4000', 'Australia', 'AUD'],
  ['Perth', 'WA', '6000', 'Australia', 'AUD'],
  ['Hobart', 'TAS', '7000', 'Australia', 'AUD'],
  ['Adelaide', 'SA', '5000', 'Australia', 'AUD'],
  ['Newcastle', 'NSW', '2300', 'Australia', 'AUD'],
  ['Auckland', 'Auckland', '1010', 'New Zealand', 'NZD'],
  ['Portland', 'OR', '97201', 'United States', 'USD'],
  ['Utrecht', 'Utrecht', '3511', 'Netherlands', 'EUR'],
];
const STREETS = [
  'Quay Street',
  'Station Road',
  'Mill Lane',
  'King Street',
  'Orchard Avenue',
  'Foundry Street',
];
const LOCALITIES = ['Old Town', 'Riverside', 'Northgate', 'The Rocks'];
export const FIRST_NAMES = ['Mia', 'Noah', 'Ava', 'Leo', 'Zoe', 'Ruben', 'Priya', 'Kenji', 'Hana', 'Tom'];

/** The record that the lines belong to. */
interface Owner {
  readonly dataModel: string;
  readonly platformId: string;
}

export function createAddress(
  random: Random,
  owner: Owner,
  [city, state, pincode, country]: City,
  type: 'BILLING' | 'SHIPPING',
): UnifiedLine<typeof address> {
  return {
    platformId: `${owner.platformId}-${type.toLowerCase()}`,
    values: {
      dataModel: owner.dataModel,
      dataModelId: owner.platformId,
      type,
      street: `${random.integer(1, 240)} ${random.pick(STREETS)}`,
      locality: random.pick(LOCALITIES),
      city,
      state,
      pincode,
      country,
      updatedAt: instant(random.integer(0, 90)),
    },
  };
}

/** Numbers that nobody has: `5550` and `491 570` are reserved for fiction. */
export function createPhoneNumbers(random: Random, owner: Owner): UnifiedLine<typeof phoneNumber>[] {
  const digits = (count: number) => String(random.integer(0, 10 ** count - 1)).padStart(count, '0');
  const types = ['TELEPHONE', 'MOBILE', 'FAX'].slice(0, random.integer(2, 3));
  return types.map((type) => ({
    platformId: `${owner.platformId}-${type.toLowerCase()}`,
    values: { type, number: type === 'MOBILE' ? `+61 491 570 ${digits(3)}` : `+61 2 5550 ${digits(4)}` },
  }));
}

/** Email and website under `.example`, which nobody can own. */
export function createLinks(name: string, owner: Owner): UnifiedLine<typeof externalLink>[] {
  const host = `${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}.example`;
  return [
    { platformId: `${owner.platformId}-email`, values: { type: 'EMAIL', link: `accounts@${host}` } },
    { platformId: `${owner.platformId}-website`, values: { type: 'WEBSITE', link: `https://${host}` } },
  ];
}
