import { type account, type bankAccount } from '../../../records/index.js';
import { type PlatformObject } from '../../platform.js';
import { type Lookups, type UnifiedRecord } from '../../pull.js';
import { decimalOf, textOf } from '../../values/platform-values.js';
import { idOf } from '../query.js';
import { activityOf, currencyOf, isUnresolved, refOf, updatedAtOf } from './values.js';

/** An account of the chart of accounts. */
export function toAccount(object: PlatformObject, lookups: Lookups): UnifiedRecord<typeof account> {
  const type = textOf(object['AccountType']);
  return {
    platformId: idOf(object),
    unresolved: isUnresolved(object, lookups),
    values: {
      name: textOf(object['Name']),
      description: textOf(object['Description']),
      nominalCode: textOf(object['AcctNum']),
      category: type === 'Bank' ? 'BANK' : categoryOf(object['Classification']),
      subCategory: textOf(object['AccountSubType']) ?? type,
      status: activityOf(object),
      currentBalance: decimalOf(object['CurrentBalance']),
      ...currencyOf(object, lookups),
      parentAccountId: refOf(object['ParentRef']),
      updatedAt: updatedAtOf(object),
    },
  };
}

function categoryOf(classification: unknown) {
  switch (classification) {
    case 'Asset':
      return 'ASSET';
    case 'Equity':
      return 'EQUITY';
    case 'Expense':
      return 'EXPENSE';
    case 'Liability':
      return 'LIABILITY';
    case 'Revenue':
      return 'INCOME';
    default:
      return 'UNKNOWN';
  }
}

/** An account at a bank, or of a credit card; null for the others. */
export function toBankAccount(
  object: PlatformObject,
  lookups: Lookups,
): UnifiedRecord<typeof bankAccount> | null {
  const platformId = idOf(object);
  const type = object['AccountType'];
  if (type !== 'Bank' && type !== 'Credit Card') return null;
  return {
    platformId,
    unresolved: isUnresolved(object, lookups),
    values: {
      accountName: textOf(object['Name']),
      accountNumber: textOf(object['BankNum']),
      balance: decimalOf(object['CurrentBalance']),
      ...currencyOf(object, lookups),
      category: textOf(object['AccountSubType']),
      updatedAt: updatedAtOf(object),
    },
  };
}
