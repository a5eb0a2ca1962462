import { type account } from '../../../records/index.js';
import { type ACCOUNT_CATEGORIES } from '../../../records/value-sets.js';
import { type PlatformObject } from '../../platform.js';
import { type UnifiedRecord } from '../../pull.js';
import { textOf } from '../../values/platform-values.js';
import { timestampOf } from '../dates.js';
import { platformIdOf } from './platform-id.js';

type AccountCategory = (typeof ACCOUNT_CATEGORIES)[number];

const CATEGORY_BY_CLASS: Readonly<Record<string, AccountCategory>> = {
  ASSET: 'ASSET',
  EQUITY: 'EQUITY',
  EXPENSE: 'EXPENSE',
  LIABILITY: 'LIABILITY',
  REVENUE: 'INCOME',
};

/** Categories by type, for accounts without a `Class`, as in Xero's own examples. */
export const CATEGORY_BY_TYPE: Readonly<Record<string, AccountCategory>> = {
  CURRENT: 'ASSET',
  FIXED: 'ASSET',
  INVENTORY: 'ASSET',
  NONCURRENT: 'ASSET',
  PREPAYMENT: 'ASSET',
  EQUITY: 'EQUITY',
  DEPRECIATN: 'EXPENSE',
  DIRECTCOSTS: 'EXPENSE',
  EXPENSE: 'EXPENSE',
  OVERHEADS: 'EXPENSE',
  CURRLIAB: 'LIABILITY',
  LIABILITY: 'LIABILITY',
  TERMLIAB: 'LIABILITY',
  OTHERINCOME: 'INCOME',
  REVENUE: 'INCOME',
  SALES: 'INCOME',
};

/** An account. Only bank accounts have their own currency. */
export function toAccount(object: PlatformObject): UnifiedRecord<typeof account> {
  const type = textOf(object['Type']);
  const status = textOf(object['Status']);
  const currencyCode = textOf(object['CurrencyCode']);
  return {
    platformId: platformIdOf(object, 'AccountID'),
    deleted: status === 'DELETED',
    values: {
      name: textOf(object['Name']),
      description: textOf(object['Description']),
      nominalCode: textOf(object['Code']),
      category: categoryOf(type, textOf(object['Class'])),
      subCategory: type,
      status,
      currencyId: currencyCode,
      currencyCode,
      updatedAt: timestampOf(object['UpdatedDateUTC']),
    },
  };
}

function categoryOf(type: string | null, accountClass: string | null): AccountCategory {
  if (type === 'BANK') return 'BANK';
  if (accountClass !== null) return lookUp(CATEGORY_BY_CLASS, accountClass);
  return type === null ? 'UNKNOWN' : lookUp(CATEGORY_BY_TYPE, type);
}

function lookUp(table: Readonly<Record<string, AccountCategory>>, word: string): AccountCategory {
  return Object.hasOwn(table, word) ? (table[word] ?? 'UNKNOWN') : 'UNKNOWN';
}
