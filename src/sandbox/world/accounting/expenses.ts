import { Decimal } from 'decimal.js';
import type { UnifiedRecord } from '../../../connectors/pull.js';
import type { expense } from '../../../records/index.js';
import { money } from '../money.js';
import { priceLine, totalsOf } from '../priced-line.js';
import type { Random } from '../random.js';
import { many, type Size, spread } from '../size.js';
import { day, instant } from '../time.js';
import type { Trade } from './catalogue.js';
import type { DemoContact } from './contacts.js';
import { BASE_CURRENCY, currencyFields } from './currencies.js';
import { createLines, type DemoLines, planLines } from './lines.js';
import { PURCHASES } from './side.js';
import { taxFor } from './tax.js';
import { trackingOf } from './tracking.js';

/** Account, description, minimum and maximum in cents. */
type Cost = readonly [account: string, description: string, least: number, most: number];

const COSTS: readonly (readonly Cost[])[] = [
  [['6400', 'Taxi to the airport', 2_800, 9_400]],
  [
    ['6400', 'Return flight', 18_900, 74_000],
    ['6400', 'Two nights in a hotel', 32_000, 61_000],
  ],
  [['6300', 'Design software, one month', 2_900, 8_900]],
  [['6500', 'Advertisement in the local paper', 12_000, 45_000]],
  [['6700', 'Travel insurance', 4_500, 19_000]],
  [
    ['6400', 'Fuel', 4_200, 13_800],
    ['6400', 'Parking', 600, 3_200],
  ],
];
/** The account that pays, and the payment mode. */
const PAID: readonly (readonly [string, string])[] = [
  ['2400', 'CREDIT_CARD'],
  ['1010', 'BANK_TRANSFER'],
  ['1040', 'CASH'],
  ['2400', 'CREDIT_CARD'],
];
const EXPENSES = 42;

interface ExpenseOptions {
  readonly trade: Trade;
  readonly contacts: readonly DemoContact[];
  readonly size: Size;
}

/** Expenses paid immediately: travel, subscriptions, and occasionally goods. */
export function createExpenses(
  random: Random,
  { trade, contacts, size }: ExpenseOptions,
): UnifiedRecord<typeof expense>[] {
  const vendors = contacts.filter(({ type, active, currency }) => {
    return type === 'VENDOR' && active && currency === BASE_CURRENCY;
  });
  return Array.from({ length: many(size, EXPENSES) }, (_, index) => {
    const platformId = `exp-${index + 1}`;
    const days = spread(size, index, 3.4) + 2;
    const [account, paymentMode] = PAID[index % PAID.length] ?? ['1010', 'BANK_TRANSFER'];
    const { lines, totals } =
      index % 7 === 6
        ? createLines(planLines(random, { side: PURCHASES, trade }), {
            platformId,
            lineItemType: 'EXPENSES',
            side: PURCHASES,
            country: 'Australia',
            posted: days,
          })
        : createCosts(random, platformId, days);
    return {
      platformId,
      // Entered twice, then deleted.
      deleted: index % 21 === 20,
      values: {
        // Nobody records the vendor of a taxi or of petrol.
        contactId: paymentMode === 'CASH' ? null : random.pick(vendors).platformId,
        accountId: `acc-${account}`,
        ...currencyFields(BASE_CURRENCY),
        documentNumber: `EXP-${String(index + 1).padStart(4, '0')}`,
        postedDate: day(days),
        paymentMode,
        memo: index % 4 === 1 ? 'Visit to a client' : null,
        ...totals,
        updatedAt: instant(days + 0.4),
      },
      lines: { lineItems: lines },
    };
  });
}

function createCosts(random: Random, platformId: string, days: number): DemoLines {
  const { taxId, percent } = taxFor('Australia', 'purchases');
  const costs = random.pick(COSTS);
  const priced = costs.map(([, , least, most]) =>
    priceLine({
      quantity: 1,
      unitAmount: money(new Decimal(random.integer(least, most)).div(100)),
      taxRate: percent,
    }),
  );
  const lines = costs.map(([account, description], index): DemoLines['lines'][number] => ({
    platformId: `${platformId}-line-${index + 1}`,
    values: {
      lineItemType: 'EXPENSES',
      lineItemTypeId: platformId,
      accountId: `acc-${account}`,
      accountCode: account,
      taxId,
      description,
      ...priced[index],
      trackingCategoryIds: trackingOf(Math.floor(days) + index),
      updatedAt: instant(days),
    },
  }));
  return { lines, totals: totalsOf(priced) };
}
