import { type Lookups, type LookupNeed } from '../../pull.js';

/** Lines and items refer to accounts by code, and lines to items. */
export const ACCOUNTS_BY_CODE: LookupNeed = { dataModel: 'ACCOUNTS', field: 'nominalCode' };
export const ITEMS_BY_CODE: LookupNeed = { dataModel: 'ITEMS', field: 'code' };

/** The id for a code; null for no code, and for one that is not stored yet. */
export function idByCode(
  { dataModel, field }: LookupNeed,
  code: string | null,
  lookups: Lookups,
): string | null {
  return code === null ? null : lookups.platformIdOf(dataModel, field, code);
}
