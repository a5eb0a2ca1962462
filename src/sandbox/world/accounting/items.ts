import type { UnifiedRecord } from '../../../connectors/pull.js';
import type { item } from '../../../records/index.js';
import type { Random } from '../random.js';
import { many, type Size, spread } from '../size.js';
import { instant } from '../time.js';
import { CATALOGUE, type Good, isRetired, type Trade } from './catalogue.js';

/** Goods kept in stock have these codes; hours, days and fees are services. */
const isStock = (good: Good): boolean =>
  /^(LMP|DSK|CHR|TBL|SHF|SOF|BED|STO|TXT|MIR|OLD)/.test(good[0]) && good[3] !== null;
const isService = (good: Good): boolean => /^(SRV|HRS|DAY|FIX|RET|TRV|SUB)/.test(good[0]);

export const itemId = (code: string): string => `item-${code.toLowerCase()}`;
export const saleAccount = (good: Good): string => (isService(good) ? '4200' : '4100');
export const purchaseAccount = (good: Good): string => (isStock(good) ? '1200' : '5000');

/** The catalogue of a company, and one item that was created by mistake and deleted. */
export function createItems(random: Random, trade: Trade, size: Size): UnifiedRecord<typeof item>[] {
  const goods = CATALOGUE[trade];
  const items = Array.from({ length: many(size, goods.length) }, (_, index) => {
    const good = goods[index % goods.length];
    if (!good) throw new Error('the catalogue is empty');
    return createItem(random, edition(good, Math.floor(index / goods.length)), spread(size, index, 1));
  });
  const mistake = createItem(random, ['TST-01', 'Test item', '1.00', '1.00'], spread(size, items.length, 1));
  return [...items, { ...mistake, deleted: true }];
}

/** Larger worlds repeat every item in further editions, which are on no document. */
function edition(good: Good, round: number): Good {
  const [code, name, price, cost] = good;
  return round === 0 ? good : [`${code}-${round + 1}`, `${name}, edition ${round + 1}`, price, cost];
}

function createItem(random: Random, good: Good, index: number): UnifiedRecord<typeof item> {
  const [code, name, price, cost] = good;
  const stock = isStock(good);
  return {
    platformId: itemId(code),
    values: {
      name,
      description: `${name} (${code})`,
      code,
      status: isRetired(good) ? 'ARCHIVED' : 'ACTIVE',
      type: stock ? 'INVENTORY' : isService(good) ? 'SERVICE' : 'NON_INVENTORY',
      quantityOnHand: stock ? String(random.integer(4, 180)) : null,
      isBillItem: cost !== null,
      isInvoiceItem: price !== null,
      ...(cost !== null && {
        billItemAccountId: `acc-${purchaseAccount(good)}`,
        billItemTaxId: 'tax-au-gst',
        billItemUnitPrice: cost,
        billItemDescription: `${name}, purchase`,
      }),
      ...(price !== null && {
        invoiceItemAccountId: `acc-${saleAccount(good)}`,
        invoiceItemTaxId: 'tax-au-gst',
        invoiceItemUnitPrice: price,
        invoiceItemDescription: name,
      }),
      updatedAt: instant(index * 2),
    },
  };
}
