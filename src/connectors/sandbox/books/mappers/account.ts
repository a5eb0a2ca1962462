import { type account } from '../../../../records/index.js';
import { type ACCOUNT_CATEGORIES } from '../../../../records/value-sets.js';
import { type PlatformObject } from '../../../platform.js';
import { type Lookups, type UnifiedRecord } from '../../../pull.js';
import { opposite } from '../../../values/decimals.js';
import { textOf } from '../../../values/platform-values.js';
import { instantOf } from '../../../values/times.js';
import { amountOf } from './amount.js';
import { codesFrom } from './codes.js';
import { guidOf } from './guid.js';
import { recordStatus, wordOf } from './words.js';

type AccountCategory = (typeof ACCOUNT_CATEGORIES)[number];

const CATEGORIES: ReadonlyMap<unknown, AccountCategory> = new Map([
  ['assets', 'ASSET'],
  ['bank', 'BANK'],
  ['liabilities', 'LIABILITY'],
  ['equity', 'EQUITY'],
  ['revenue', 'INCOME'],
  ['costs', 'EXPENSE'],
  // As on the balance sheet of Books, which keeps its balance on the credit side.
  ['suspense', 'ASSET'],
]);

/** An account. It names its parent by number, and the parent may come later in the same pull. */
export function toAccount(object: PlatformObject, lookups: Lookups): UnifiedRecord<typeof account> {
  const codes = codesFrom(lookups);
  const balance = amountOf(object['Balance']);
  const values = {
    name: textOf(object['Title']),
    description: textOf(object['Notes']),
    nominalCode: textOf(object['Number']),
    category: CATEGORIES.get(object['Class']) ?? 'UNKNOWN',
    subCategory: wordOf(object['Group']),
    status: recordStatus(object['State']),
    currentBalance: object['Class'] === 'suspense' ? opposite(balance) : balance,
    currencyId: codes.currency(object['Currency']),
    currencyCode: textOf(object['Currency']),
    parentAccountId: codes.account(object['ParentNumber']),
    updatedAt: instantOf(object['ChangedOn']),
  };
  return { platformId: guidOf(object), unresolved: codes.unresolved(), values };
}
