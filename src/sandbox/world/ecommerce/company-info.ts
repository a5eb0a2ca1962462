import type { UnifiedRecord } from '../../../connectors/pull.js';
import type { ecommerceBalance, ecommerceCompanyInfo, ecommerceTransaction } from '../../../records/index.js';
import { money, sum } from '../money.js';
import { instant } from '../time.js';

/** The shop itself, which opened before the first sale. */
export function createCompanyInfo(name: string): UnifiedRecord<typeof ecommerceCompanyInfo>[] {
  const host = `${name.toLowerCase().replace(/[^a-z0-9]+/g, '-')}.example`;
  return [
    {
      platformId: 'shop',
      values: {
        name,
        website: `https://${host}`,
        email: `hello@${host}`,
        currencyId: 'AUD',
        currencyCode: 'AUD',
        createdAt: instant(0),
        updatedAt: instant(1.25),
      },
    },
  ];
}

/** Balances: sales less their fees and refunds. */
export function createBalances(
  transactions: readonly UnifiedRecord<typeof ecommerceTransaction>[],
): UnifiedRecord<typeof ecommerceBalance>[] {
  const moved = transactions
    .filter(({ deleted }) => !deleted)
    .flatMap(({ values: { amount, fee, type } }) => [`${type === 'REFUND' ? '-' : ''}${amount}`, `-${fee}`]);
  return [
    {
      platformId: 'balance-AUD',
      values: { availableBalance: money(sum(moved)), currencyId: 'AUD', currencyCode: 'AUD' },
    },
  ];
}
