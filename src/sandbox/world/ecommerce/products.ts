import type { UnifiedRecord } from '../../../connectors/pull.js';
import type { ecommerceProduct } from '../../../records/index.js';
import type { Random } from '../random.js';
import { many, type Size, spread } from '../size.js';
import { instant } from '../time.js';
import { GOODS, MATERIALS, OTHER_GOODS } from './goods.js';

const OTHERS = OTHER_GOODS.length * MATERIALS.length;
/** Every 9th product that no order contains is archived. */
const ARCHIVED = 9;

/** The products of the shop, all created before its first order: those that orders contain, then the others. */
export function createProducts(random: Random, size: Size): UnifiedRecord<typeof ecommerceProduct>[] {
  const others = Array.from({ length: many(size, OTHERS) }, (_, index) => {
    const series = Math.floor(index / OTHERS);
    const name = `${MATERIALS[index % MATERIALS.length] ?? ''} ${OTHER_GOODS[index % OTHER_GOODS.length] ?? ''}`;
    const title = name.charAt(0) + name.slice(1).toLowerCase();
    return [String(40_200 + index * 3), series === 0 ? title : `${title}, series ${series + 1}`] as const;
  });
  return [...GOODS, ...others].map(([platformId, name], index) => {
    const created = spread(size, index, 1.4);
    const isArchived = index >= GOODS.length && index % ARCHIVED === 0;
    return {
      platformId,
      platformUniqueId: `shop/products/${platformId}`,
      values: {
        name,
        description: `${name} from ${random.pick(['Bendigo', 'Geelong', 'Launceston', 'Fremantle'])}`,
        status: isArchived ? 'ARCHIVED' : 'ACTIVE',
        createdAt: instant(created),
        updatedAt: instant(created + random.integer(1, 72) / 24),
      },
    };
  });
}
