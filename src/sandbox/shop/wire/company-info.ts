import type { UnifiedRecord } from '../../../connectors/pull.js';
import type { ecommerceBalance, ecommerceCompanyInfo } from '../../../records/index.js';
import { instant, TODAY } from '../../world/time.js';
import { type ShopObject, shopTime } from '../objects.js';
import type { ShopNames } from './names.js';

export function toShop(record: UnifiedRecord, names: ShopNames): ShopObject {
  const { name, website, email, currencyCode, createdAt, updatedAt } = (
    record as UnifiedRecord<typeof ecommerceCompanyInfo>
  ).values;
  return {
    id: names.id('shops', record.platformId),
    created_at: shopTime(createdAt ?? ''),
    updated_at: shopTime(updatedAt ?? ''),
    ...{ name, url: website, email, currency: currencyCode },
  };
}

export function toBalance(record: UnifiedRecord, names: ShopNames) {
  const { availableBalance, currencyCode } = (record as UnifiedRecord<typeof ecommerceBalance>).values;
  return {
    id: names.id('balances', record.platformId),
    created_at: shopTime(instant(0)),
    updated_at: shopTime(instant(TODAY)),
    ...{ amount: availableBalance, currency: currencyCode ?? '' },
  };
}
