import type { UnifiedRecord } from '../../../connectors/pull.js';
import type { paymentCustomer } from '../../../records/index.js';
import { CITIES, type City, createAddress, createLinks, createPhoneNumbers, FIRST_NAMES } from '../people.js';
import type { Random } from '../random.js';
import { many, type Size, spread } from '../size.js';
import { instant } from '../time.js';

const INDIA: readonly City[] = [
  ['Mumbai', 'Maharashtra', '400001', 'India', 'INR'],
  ['Bengaluru', 'Karnataka', '560001', 'India', 'INR'],
  ['Chennai', 'Tamil Nadu', '600001', 'India', 'INR'],
];
const SURNAMES = ['Nair', 'Whitlam', 'Okafor', 'Lindqvist', 'Tanaka', 'Moreau', 'Sharma', 'Baker'];
const CUSTOMERS = 36;

/** A customer with the currency it pays in. Payments platforms name currencies by ISO code. */
export interface DemoCustomer {
  readonly record: UnifiedRecord<typeof paymentCustomer>;
  readonly platformId: string;
  readonly currency: string;
}

export const isoCurrency = (code: string) => ({ currencyId: code, currencyCode: code });

export function createCustomers(random: Random, size: Size): DemoCustomer[] {
  return Array.from({ length: many(size, CUSTOMERS) }, (_, index) => {
    const platformId = `cust_${51_020 + index * 7}`;
    const owner = { dataModel: 'PAYMENT_CUSTOMERS', platformId };
    const name = `${random.pick(FIRST_NAMES)} ${random.pick(SURNAMES)}`;
    const city = random.pick(random.integer(0, 1) === 0 ? CITIES : INDIA);
    return {
      platformId,
      currency: city[4],
      record: {
        platformId,
        values: {
          name,
          taxNumber: String(random.integer(10_000_000_000, 99_999_999_999)),
          ...isoCurrency(city[4]),
          createdAt: instant(spread(size, index, 1.5)),
        },
        lines: {
          externalLinks: createLinks(name, owner),
          phoneNumbers: createPhoneNumbers(random, owner),
          addresses: [createAddress(random, owner, city, 'BILLING')],
        },
      },
    };
  });
}
