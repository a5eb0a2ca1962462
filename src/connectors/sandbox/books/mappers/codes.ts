import { type Lookups, type LookupNeed } from '../../../pull.js';
import { textOf } from '../../../values/platform-values.js';

/** Books refers to these by code, not by Guid. */
export const ACCOUNTS_BY_NUMBER: LookupNeed = { dataModel: 'ACCOUNTS', field: 'nominalCode' };
export const CURRENCIES_BY_CODE: LookupNeed = { dataModel: 'CURRENCIES', field: 'code' };
export const PRODUCTS_BY_SKU: LookupNeed = { dataModel: 'ITEMS', field: 'code' };
export const TAXES_BY_CODE: LookupNeed = { dataModel: 'TAX_RATES', field: 'code' };

/** The ids for the codes in one object; null for no code, and for one that is not stored yet. */
export interface Codes {
  account(number: unknown): string | null;
  currency(code: unknown): string | null;
  product(sku: unknown): string | null;
  tax(code: unknown): string | null;
  /** Whether any code looked up so far is not stored yet. */
  unresolved(): boolean;
}

export function codesFrom(lookups: Lookups): Codes {
  let unresolved = false;
  const idBy = ({ dataModel, field }: LookupNeed) => {
    return (value: unknown): string | null => {
      const code = textOf(value);
      if (code === null) return null;
      const id = lookups.platformIdOf(dataModel, field, code);
      unresolved ||= id === null;
      return id;
    };
  };
  return {
    account: idBy(ACCOUNTS_BY_NUMBER),
    currency: idBy(CURRENCIES_BY_CODE),
    product: idBy(PRODUCTS_BY_SKU),
    tax: idBy(TAXES_BY_CODE),
    unresolved: () => unresolved,
  };
}
