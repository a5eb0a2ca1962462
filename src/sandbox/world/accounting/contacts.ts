import type { UnifiedRecord } from '../../../connectors/pull.js';
import type { contact } from '../../../records/index.js';
import { CITIES, type City, createAddress, createLinks, createPhoneNumbers, FIRST_NAMES } from '../people.js';
import type { Random } from '../random.js';
import { many, type Size, spread } from '../size.js';
import { instant } from '../time.js';
import { currencyFields } from './currencies.js';

const PLACES = [
  'Harbour',
  'Ridge',
  'Meadow',
  'Lantern',
  'Copper',
  'Willow',
  'Granite',
  'Juniper',
  'Cedar',
  'Falcon',
  'Orchard',
  'Tidewater',
];
const CUSTOMERS = ['Cafe', 'Studio', 'Books'];
const VENDORS = ['Logistics', 'Timber'];

/** A contact, with what its documents need to know about it. */
export interface DemoContact {
  readonly record: UnifiedRecord<typeof contact>;
  readonly platformId: string;
  readonly type: 'CUSTOMER' | 'VENDOR';
  readonly city: City;
  /** The currency it trades in. */
  readonly currency: string;
  /** False if it was archived or deleted: new documents do not name it. */
  readonly active: boolean;
}

/** Every trade at every place; larger worlds repeat them with a number. */
export function createContacts(random: Random, size: Size): DemoContact[] {
  const pairs = PLACES.flatMap((place) => [...CUSTOMERS, ...VENDORS].map((trade) => [place, trade] as const));
  return Array.from({ length: many(size, pairs.length) }, (_, index) => {
    const [place, trade] = pairs[index % pairs.length] ?? ['', ''];
    const round = Math.floor(index / pairs.length);
    const name = round === 0 ? `${place} ${trade}` : `${place} ${trade} ${round + 1}`;
    return createContact(random, { name, place, trade, index, updated: spread(size, index, 1) });
  });
}

interface ContactOptions {
  readonly name: string;
  readonly place: string;
  readonly trade: string;
  readonly index: number;
  readonly updated: number;
}

function createContact(random: Random, { name, place, trade, index, updated }: ContactOptions): DemoContact {
  const platformId = `con-${index + 1}`;
  const owner = { dataModel: 'CONTACTS', platformId };
  const type = VENDORS.includes(trade) ? 'VENDOR' : 'CUSTOMER';
  const city = random.pick(CITIES);
  const deleted = index % 30 === 29;
  const archived = index % 19 === 18;
  return {
    platformId,
    type,
    city,
    currency: city[4],
    active: !deleted && !archived,
    record: {
      platformId,
      deleted,
      values: {
        name,
        contactName: `${random.pick(FIRST_NAMES)} ${place}`,
        contactType: type,
        currencyId: currencyFields(city[4]).currencyId,
        taxNumber: String(random.integer(10_000_000_000, 99_999_999_999)),
        registrationNumber: String(random.integer(100_000_000, 999_999_999)),
        status: archived ? 'ARCHIVED' : 'ACTIVE',
        updatedAt: instant(updated),
      },
      lines: {
        phoneNumbers: createPhoneNumbers(random, owner),
        addresses: [
          createAddress(random, owner, city, 'BILLING'),
          ...(type === 'CUSTOMER' ? [createAddress(random, owner, city, 'SHIPPING')] : []),
        ],
        externalLinks: createLinks(name, owner),
      },
    },
  };
}
