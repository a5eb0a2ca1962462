import { type Advance, type TradeDocument } from '../domain.js';
import { remainderOf } from '../totals.js';
import { dayOf, guidOf, kept } from './kept.js';

const TYPES = {
  ACCREC: ['RECEIVE-PREPAYMENT', 'RECEIVE-OVERPAYMENT'],
  ACCPAY: ['SPEND-PREPAYMENT', 'SPEND-OVERPAYMENT'],
} as const;

/** Of each seventh open document a part was paid in advance, or too much before, and of each other one twice. */
export function makeAdvances(documents: readonly TradeDocument[]): Advance[] {
  const advances: Advance[] = [];
  for (const type of ['ACCREC', 'ACCPAY'] as const) {
    const open = documents.filter((one) => one.type === type && one.status === 'AUTHORISED');
    for (const [place, document] of open.filter((_, index) => index % 7 === 2).entries()) {
      const index = advances.length;
      const amount = remainderOf(document).dividedBy(10).toDecimalPlaces(2);
      if (!amount.isPositive() || amount.isZero()) continue;
      const times = place % 2 === 0 ? 2 : 1;
      const allocated = Array.from({ length: times }, (_, time) => {
        document.credited = document.credited.plus(amount);
        return {
          id: guidOf(`allocation ${index} ${time}`),
          document,
          amount,
          date: dayOf(index + 20 + time),
        };
      });
      advances.push({
        ...kept(guidOf(`advance ${index}`), index, 'AUTHORISED'),
        type: TYPES[type][place % 2 === 0 ? 0 : 1],
        contact: document.contact,
        currency: document.currency,
        date: dayOf(index),
        total: amount.times(3),
        reference: `Deposit ${index}`,
        allocated,
      });
    }
  }
  return advances;
}
