import type { UnifiedLine } from '../../../connectors/pull.js';
import type { paymentLineItem } from '../../../records/index.js';
import { priceLine, type Totals, totalsOf } from '../priced-line.js';
import type { Random } from '../random.js';
import { instant } from '../time.js';
import { GST, PLANS, taxIdOf } from './catalog.js';

interface PaymentLineOwner {
  readonly lineItemType: 'PAYMENT_INVOICES' | 'PAYMENT_PAYMENT_LINKS';
  readonly lineItemTypeId: string;
  readonly currency: string;
  /** Day of the last change. */
  readonly updated: number;
}

interface PaymentLines {
  readonly lines: readonly UnifiedLine<typeof paymentLineItem>[];
  readonly totals: Totals;
}

export function createPaymentLines(random: Random, owner: PaymentLineOwner): PaymentLines {
  const { lineItemType, lineItemTypeId, currency, updated } = owner;
  const taxRate = GST[currency] ?? '0';
  const chosen = Array.from({ length: random.integer(1, 3) }, () => {
    const [itemId, description, unitAmount] = random.pick(PLANS);
    const discount = random.pick([0, 0, 0, 10]);
    return {
      itemId,
      description,
      priced: priceLine({ quantity: random.integer(1, 4), unitAmount, taxRate, discount }),
    };
  });
  return {
    totals: totalsOf(chosen.map(({ priced }) => priced)),
    lines: chosen.map(({ itemId, description, priced }, index) => ({
      platformId: `li_${lineItemTypeId}_${index + 1}`,
      values: {
        lineItemType,
        lineItemTypeId,
        itemId,
        taxId: taxIdOf(taxRate),
        description,
        ...priced,
        updatedAt: instant(updated + index / 24),
      },
    })),
  };
}
