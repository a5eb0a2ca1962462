import type { UnifiedRecord } from '../../../connectors/connector.js';
import type { item } from '../../../records/index.js';
import type { Random } from '../random.js';
import { instant } from '../time.js';
import { CATALOGUE, type Good, isRetired, type Trade } from './catalogue.js';

/** Goods in stock have stock codes; hours, days and fees are services. */
const isStock = (good: Good): boolean =>
  /^(LMP|DSK|CHR|TBL|SHF|SOF|BED|STO|TXT|MIR|OLD)/.test(good[0]) && good[3] !== null;
const isService = (good: Good): boolean => /^(SRV|HRS|DAY|FIX|RET|TRV|SUB)/.test(good[0]);

export const itemId = (code: string): string => `item-${code.toLowerCase()}`;
export const saleAccount = (good: Good): string => (isService(good) ? '4200' : '4100');
export const purchaseAccount = (good: Good): string => (isStock(good) ? '1200' : '5000');

/** The catalogue of a company, and one item that it made by mistake and deleted. */
export function createItems(random: Random, trade: Trade): UnifiedRecord<typeof item>[] {
  const items = CATALOGUE[trade].map((good, index) => createItem(random, good, index));
  const mistake = createItem(random, ['TST-01', 'Test item', '1.00', '1.00'], items.length);
  return [...items, { ...mistake, deleted: true }];
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
