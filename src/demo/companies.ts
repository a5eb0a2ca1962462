import type { Category } from '../records/define.js';
import type { Trade } from '../sandbox/world/accounting/catalogue.js';

export const DEMO_ORGANISATION = 'Demo Organisation';
/** A second tenant, so that the walls between the two can be seen. */
export const OTHER_ORGANISATION = 'Other Organisation';

export interface DemoCompany {
  readonly organisation: string;
  readonly name: string;
  readonly seed: number;
  /** What its books, where it has them, deal in. */
  readonly trade: Trade;
  /** One connection for each. */
  readonly categories: readonly Category[];
}

const ALL: readonly Category[] = ['ACCOUNTING', 'PAYMENTS', 'ECOMMERCE'];

/** One company with all categories, one for each of them, and one of another organisation. */
export const DEMO_COMPANIES: readonly DemoCompany[] = [
  {
    organisation: DEMO_ORGANISATION,
    name: 'Harbour Furniture',
    seed: 1,
    trade: 'furniture',
    categories: ALL,
  },
  {
    organisation: DEMO_ORGANISATION,
    name: 'Ridge Consulting',
    seed: 2,
    trade: 'consulting',
    categories: ['ACCOUNTING'],
  },
  {
    organisation: DEMO_ORGANISATION,
    name: 'Lantern Pay',
    seed: 4,
    trade: 'consulting',
    categories: ['PAYMENTS'],
  },
  {
    organisation: DEMO_ORGANISATION,
    name: 'Copper Shop',
    seed: 5,
    trade: 'furniture',
    categories: ['ECOMMERCE'],
  },
  {
    organisation: OTHER_ORGANISATION,
    name: 'Quiet Competitor',
    seed: 3,
    trade: 'furniture',
    categories: ALL,
  },
];
