import { type bankAccount } from '../../../../records/index.js';
import { type PlatformObject } from '../../../platform.js';
import { type Lookups, type UnifiedRecord } from '../../../pull.js';
import { objectOf, textOf } from '../../../values/platform-values.js';
import { instantOf } from '../../../values/times.js';
import { amountOf } from './amount.js';
import { codesFrom } from './codes.js';
import { guidOf } from './guid.js';
import { wordOf } from './words.js';

/** An account held at a bank; null for the others. The account and the bank account have the same Guid. */
export function toBankAccount(
  object: PlatformObject,
  lookups: Lookups,
): UnifiedRecord<typeof bankAccount> | null {
  const platformId = guidOf(object);
  const bank = objectOf(object['Bank']);
  if (!bank) return null;
  const codes = codesFrom(lookups);
  const values = {
    institutionName: textOf(bank['Institution']),
    accountName: textOf(object['Title']),
    accountNumber: textOf(bank['AccountNumber']),
    balance: amountOf(object['Balance']),
    currencyId: codes.currency(object['Currency']),
    currencyCode: textOf(object['Currency']),
    category: wordOf(object['Group']),
    updatedAt: instantOf(object['ChangedOn']),
  };
  return { platformId, unresolved: codes.unresolved(), values };
}
