import type { UnifiedRecord } from '../../../connectors/pull.js';
import type { ecommerceCustomer } from '../../../records/index.js';
import { CITIES, createAddress, FIRST_NAMES } from '../people.js';
import type { Random } from '../random.js';
import { many, type Size, spread } from '../size.js';
import { instant } from '../time.js';
import type { DemoShopOrder } from './orders.js';

const SURNAMES = ['Marsh', 'Oduya', 'Petrov', 'Quinn', 'Castellan', 'Ito', 'Brandt'];
const CUSTOMERS = 36;
/** Every 12th customer is disabled, after not signing in for a long time. */
const DISABLED = 12;
/** Every 11th order is a guest order. */
const GUEST = 11;

/** Customers who signed up, all before the shop's first order. */
export function createShopCustomers(random: Random, size: Size): UnifiedRecord<typeof ecommerceCustomer>[] {
  return Array.from({ length: many(size, CUSTOMERS) }, (_, index) => {
    const platformId = String(300_040 + index * 7);
    const first = random.pick(FIRST_NAMES);
    const last = random.pick(SURNAMES);
    const owner = { dataModel: 'ECOMMERCE_CUSTOMERS', platformId };
    const { values: address } = createAddress(random, owner, random.pick(CITIES), 'BILLING');
    const created = spread(size, index, 1.5);
    return {
      platformId,
      platformUniqueId: `shop/customers/${platformId}`,
      values: {
        name: `${first} ${last}`,
        email: `${first}.${last}.${index + 1}@mail.example`.toLowerCase(),
        // Reserved for fiction.
        phone: `+61 491 570 ${String(random.integer(0, 999)).padStart(3, '0')}`,
        currencyId: 'AUD',
        currencyCode: 'AUD',
        status: index % DISABLED === DISABLED - 1 ? 'ARCHIVED' : 'ACTIVE',
        addressType: 'BILLING',
        addressStreet: address.street ?? null,
        addressLocality: address.locality ?? null,
        addressCity: address.city ?? null,
        addressState: address.state ?? null,
        addressPincode: address.pincode ?? null,
        addressCountry: address.country ?? null,
        createdAt: instant(created),
        updatedAt: instant(created + random.integer(1, 48) / 24),
      },
    };
  });
}

/** Adds customers to the orders. */
export function withCustomers(
  random: Random,
  orders: readonly DemoShopOrder[],
  customers: readonly UnifiedRecord[],
): DemoShopOrder[] {
  return orders.map((order, index) => {
    const { platformId } = random.pick(customers);
    const customerId = index % GUEST === GUEST - 1 ? null : platformId;
    return { ...order, record: { ...order.record, values: { ...order.record.values, customerId } } };
  });
}
