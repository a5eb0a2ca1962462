import { type bankAccount } from '../../../records/index.js';
import { type PlatformObject } from '../../platform.js';
import { type UnifiedRecord } from '../../pull.js';
import { textOf } from '../../values/platform-values.js';
import { timestampOf } from '../dates.js';
import { platformIdOf } from './platform-id.js';

/** An account of type BANK; null for the others. Xero reports neither its bank nor its balance. */
export function toBankAccount(object: PlatformObject): UnifiedRecord<typeof bankAccount> | null {
  const platformId = platformIdOf(object, 'AccountID');
  if (object['Type'] !== 'BANK') return null;
  const currencyCode = textOf(object['CurrencyCode']);
  return {
    platformId,
    deleted: object['Status'] === 'DELETED',
    values: {
      accountName: textOf(object['Name']),
      accountNumber: textOf(object['BankAccountNumber']),
      currencyId: currencyCode,
      currencyCode,
      category: textOf(object['BankAccountType']),
      updatedAt: timestampOf(object['UpdatedDateUTC']),
    },
  };
}
