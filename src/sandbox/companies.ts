import type { Platform } from './platform.js';
import { PLATFORMS } from './platform.js';
import type { Trade } from './world/accounting/catalogue.js';

/** A company with accounts on one or more platforms. */
export interface SandboxCompany {
  /** The id of its account on each platform. */
  readonly id: string;
  readonly name: string;
  readonly platforms: readonly Platform[];
  readonly seed: number;
  readonly trade: Trade;
  /** Approximate number of records on each platform; null for the demo's default number. */
  readonly records: number | null;
}

/** The companies in the service's demo data. */
export const DEMO_ACCOUNTS: readonly SandboxCompany[] = [
  {
    id: 'demo-1',
    name: 'Harbour Furniture',
    seed: 1,
    trade: 'furniture',
    platforms: PLATFORMS,
    records: null,
  },
  {
    id: 'demo-2',
    name: 'Ridge Consulting',
    seed: 2,
    trade: 'consulting',
    platforms: ['accounting'],
    records: null,
  },
  {
    id: 'demo-3',
    name: 'Quiet Competitor',
    seed: 3,
    trade: 'furniture',
    platforms: PLATFORMS,
    records: null,
  },
  { id: 'demo-4', name: 'Lantern Pay', seed: 4, trade: 'consulting', platforms: ['payments'], records: null },
  { id: 'demo-5', name: 'Copper Shop', seed: 5, trade: 'furniture', platforms: ['ecommerce'], records: null },
];
