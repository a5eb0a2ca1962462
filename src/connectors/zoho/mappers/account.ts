import { type account, type bankAccount } from '../../../records/index.js';
import { type ACCOUNT_CATEGORIES } from '../../../records/value-sets.js';
import { type PlatformObject } from '../../platform.js';
import { type UnifiedRecord } from '../../pull.js';
import { decimalOf, textOf } from '../../values/platform-values.js';
import { changedAt } from '../times.js';
import { activityOf, currencyOf, platformIdOf } from './values.js';

/** An account of the chart of accounts. */
export function toAccount(object: PlatformObject): UnifiedRecord<typeof account> {
  const type = textOf(object['account_type']);
  return {
    platformId: platformIdOf(object, 'account_id'),
    values: {
      name: textOf(object['account_name']),
      description: textOf(object['description']),
      nominalCode: textOf(object['account_code']),
      category: categoryOf(type),
      subCategory: type?.toUpperCase() ?? null,
      status: activityOf(object),
      currentBalance: decimalOf(object['current_balance']),
      ...currencyOf(object),
      parentAccountId: textOf(object['parent_account_id']),
      updatedAt: changedAt(object),
    },
  };
}

type AccountCategory = (typeof ACCOUNT_CATEGORIES)[number];

const CATEGORIES: Readonly<Record<string, AccountCategory>> = {
  bank: 'BANK',
  cash: 'ASSET',
  stock: 'ASSET',
  accounts_receivable: 'ASSET',
  payment_clearing: 'ASSET',
  credit_card: 'LIABILITY',
  accounts_payable: 'LIABILITY',
  loans_and_borrowing: 'LIABILITY',
  equity: 'EQUITY',
  cost_of_goods_sold: 'EXPENSE',
};

/** Most types end in their category: `fixed_asset`, `finance_income`. */
export function categoryOf(type: string | null): AccountCategory {
  const named = CATEGORIES[type ?? ''];
  if (named) return named;
  const category = type?.split('_').at(-1)?.toUpperCase();
  return (
    (['ASSET', 'LIABILITY', 'EQUITY', 'INCOME', 'EXPENSE'] as const).find((one) => one === category) ??
    'UNKNOWN'
  );
}

/** An account at a bank, of a credit card, or of a payment service. */
export function toBankAccount(object: PlatformObject): UnifiedRecord<typeof bankAccount> {
  return {
    platformId: platformIdOf(object, 'account_id'),
    values: {
      institutionName: textOf(object['bank_name']),
      accountName: textOf(object['account_name']),
      accountNumber: textOf(object['account_number']),
      balance: decimalOf(object['balance']),
      ...currencyOf(object),
      category: textOf(object['account_type'])?.toUpperCase() ?? null,
      updatedAt: changedAt(object),
    },
  };
}
