import type { UnifiedLine } from '../../../connectors/pull.js';
import type { lineItem } from '../../../records/index.js';
import { priceLine, type Totals, totalsOf } from '../priced-line.js';
import type { Random } from '../random.js';
import { instant } from '../time.js';
import { CATALOGUE, type Good, isRetired, type Trade } from './catalogue.js';
import { itemId, purchaseAccount, saleAccount } from './items.js';
import type { Side } from './side.js';
import { projectOf } from './projects.js';
import { taxFor } from './tax.js';
import { trackingOf } from './tracking.js';

/** The content of a line before it belongs to a document: an order and its invoice share it. */
export interface PlannedLine {
  readonly good: Good;
  readonly unitAmount: string;
  readonly quantity: number;
  /** In percent. */
  readonly discount: number;
}

interface PlanOptions {
  readonly side: Side;
  readonly trade: Trade;
}

/** One to four different items that the side trades in. */
export function planLines(random: Random, { side, trade }: PlanOptions): PlannedLine[] {
  const planned = new Map<string, PlannedLine>();
  const priced = CATALOGUE[trade].flatMap((good) => {
    const unitAmount = side.name === 'sales' ? good[2] : good[3];
    return unitAmount === null || isRetired(good) ? [] : [{ good, unitAmount }];
  });
  const count = random.integer(1, 4);
  for (let index = 0; index < count; index += 1) {
    const { good, unitAmount } = random.pick(priced);
    const discount = random.pick([0, 0, 0, 5, 10]);
    planned.set(good[0], { good, unitAmount, quantity: random.integer(1, 6), discount });
  }
  return [...planned.values()];
}

interface LineOwner {
  readonly platformId: string;
  readonly lineItemType: string;
  readonly side: Side;
  /** The contact's country, which decides the tax. */
  readonly country: string;
  readonly posted: number;
}

/** The lines of a document, with their totals. */
export interface DemoLines {
  readonly lines: readonly UnifiedLine<typeof lineItem>[];
  readonly totals: Totals;
}

export function createLines(planned: readonly PlannedLine[], owner: LineOwner): DemoLines {
  const { taxId, percent } = taxFor(owner.country, owner.side.name);
  const priced = planned.map((line) => priceLine({ ...line, taxRate: percent }));
  const lines = planned.map(({ good }, index): UnifiedLine<typeof lineItem> => {
    const account = owner.side.name === 'sales' ? saleAccount(good) : purchaseAccount(good);
    return {
      platformId: `${owner.platformId}-line-${index + 1}`,
      values: {
        lineItemType: owner.lineItemType,
        lineItemTypeId: owner.platformId,
        accountId: `acc-${account}`,
        accountCode: account,
        itemId: itemId(good[0]),
        itemCode: good[0],
        taxId,
        projectId: projectOf(Math.floor(owner.posted) + index),
        description: good[1],
        ...priced[index],
        trackingCategoryIds: trackingOf(Math.floor(owner.posted) + index),
        updatedAt: instant(owner.posted),
      },
    };
  });
  return { lines, totals: totalsOf(priced) };
}
