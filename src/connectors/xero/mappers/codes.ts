import { type Lookups, type LookupNeed } from '../../connector.js';

/** Lines and items name accounts by code, lines name items so too. */
export const ACCOUNTS_BY_CODE: LookupNeed = { dataModel: 'ACCOUNTS', field: 'nominalCode' };
export const ITEMS_BY_CODE: LookupNeed = { dataModel: 'ITEMS', field: 'code' };

/** The id that a code stands for; null without a code, and for one that we do not have yet. */
export function idByCode(
  { dataModel, field }: LookupNeed,
  code: string | null,
  lookups: Lookups,
): string | null {
  return code === null ? null : lookups.platformIdOf(dataModel, field, code);
}
