import type { Category } from '../records/define.js';

export const DEMO_ORGANISATION = 'Demo Organisation';
/** A second tenant, to show the isolation between the two. */
const OTHER_ORGANISATION = 'Other Organisation';

export interface DemoCompany {
  readonly organisation: string;
  readonly name: string;
  /** Its account at the sandbox platforms; null if not connected yet. */
  readonly account: string | null;
  /** Categories that its link offers; one connection for each if it has an account. */
  readonly categories: readonly Category[];
}

const ALL: readonly Category[] = ['ACCOUNTING', 'PAYMENTS', 'ECOMMERCE'];

/** One company with all categories, one for each of them, one of another organisation, and three that are invited. */
export const DEMO_COMPANIES: readonly DemoCompany[] = [
  {
    organisation: DEMO_ORGANISATION,
    name: 'Harbour Furniture',
    account: 'demo-1',
    categories: ALL,
  },
  {
    organisation: DEMO_ORGANISATION,
    name: 'Ridge Consulting',
    account: 'demo-2',
    categories: ['ACCOUNTING'],
  },
  {
    organisation: DEMO_ORGANISATION,
    name: 'Lantern Pay',
    account: 'demo-4',
    categories: ['PAYMENTS'],
  },
  {
    organisation: DEMO_ORGANISATION,
    name: 'Copper Shop',
    account: 'demo-5',
    categories: ['ECOMMERCE'],
  },
  {
    organisation: OTHER_ORGANISATION,
    name: 'Quiet Competitor',
    account: 'demo-3',
    categories: ALL,
  },
  ...['Juniper Studio', 'Maple Clinic', 'Willow Workshop'].map((name) => ({
    organisation: DEMO_ORGANISATION,
    name,
    account: null,
    categories: ALL,
  })),
];

/** One that has connected. */
export type ConnectedCompany = DemoCompany & { readonly account: string };

export const isConnected = (company: DemoCompany): company is ConnectedCompany => company.account !== null;
