import { type expense } from '../../../../records/index.js';
import { type PlatformObject } from '../../../platform.js';
import { type Lookups, type UnifiedRecord } from '../../../pull.js';
import { textOf } from '../../../values/platform-values.js';
import { codesFrom } from './codes.js';
import { documentValues, totalsOf } from './document-values.js';
import { guidOf } from './guid.js';
import { toLines } from './line-item.js';
import { isVoided, paymentModeOf } from './words.js';

/** Money spent directly. A voided expense counts as deleted, because our expenses have no status. */
export function toExpense(object: PlatformObject, lookups: Lookups): UnifiedRecord<typeof expense> {
  const platformId = guidOf(object);
  const codes = codesFrom(lookups);
  const values = {
    ...documentValues(object, codes),
    ...totalsOf(object),
    accountId: codes.account(object['AccountNumber']),
    paymentMode: paymentModeOf(object['PaymentMeans']),
    memo: textOf(object['Text']),
  };
  const lineItems = toLines(object, { type: 'EXPENSES', platformId }, codes);
  return {
    platformId,
    deleted: isVoided(object),
    unresolved: codes.unresolved(),
    values,
    lines: { lineItems },
  };
}
