import type { UnifiedRecord } from '../../connectors/pull.js';
import type { Platform } from '../platform.js';
import type { Trade } from './accounting/catalogue.js';
import { createBooks } from './accounting/books.js';
import { POSTED_PREFIX } from './accounting/general-ledger.js';
import type { DemoRecords } from './demo-records.js';
import { createShop } from './ecommerce/shop.js';
import { createGateway } from './payments/gateway.js';
import { Random } from './random.js';
import { DEMO_SIZE, type Size } from './size.js';

/** Options that determine a company's data on a platform: the same options give the same data. */
interface WorldOptions {
  readonly name: string;
  readonly seed: number;
  readonly trade: Trade;
  /**
   * Approximate number of records, not counting posted entries; null for the demo's number, which is also the
   * minimum.
   */
  readonly records: number | null;
}

/** Whether a record is not a posted entry: those do not count towards the size. */
const isOwn = ({ platformId }: UnifiedRecord) => !platformId.startsWith(POSTED_PREFIX);
/** Kinds that do not grow with the size of the company. */
const FIXED = [
  'CURRENCIES',
  'TAX_RATES',
  'TRACKING_CATEGORIES',
  'ACCOUNTS',
  'ECOMMERCE_BALANCES',
  'ECOMMERCE_COMPANY_INFO',
  'BANK_ACCOUNTS',
  'COMPANY_INFO',
  'PROJECTS',
];

export function createWorld(platform: Platform, options: WorldOptions): DemoRecords {
  const small = createAtSize(platform, options, DEMO_SIZE);
  if (options.records === null) return small;
  const kinds = [...small].map(([model, records]) => [model, records.filter(isOwn).length] as const);
  const count = (isCounted: (model: string) => boolean) =>
    kinds.reduce((sum, [model, length]) => sum + (isCounted(model) ? length : 0), 0);
  const fixed = count((model) => FIXED.includes(model));
  const scale = (options.records - fixed) / (count(() => true) - fixed);
  return scale <= 1 ? small : createAtSize(platform, options, { scale });
}

function createAtSize(platform: Platform, { name, seed, trade }: WorldOptions, size: Size): DemoRecords {
  const random = new Random(seed);
  switch (platform) {
    case 'accounting':
      return createBooks(random, { name, trade }, size);
    case 'payments':
      return createGateway(random, size);
    case 'ecommerce':
      return createShop(random, name, size);
    default:
      return platform satisfies never;
  }
}
