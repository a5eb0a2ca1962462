import { type bankTransaction } from '../../../../records/index.js';
import { type PlatformObject } from '../../../platform.js';
import { type Lookups, type UnifiedRecord } from '../../../pull.js';
import { decimalOf } from '../../../values/platform-values.js';
import { dayOf } from '../dates.js';
import { instantOf } from '../../../values/times.js';
import { amountOf, currencyOf } from './amount.js';
import { codesFrom } from './codes.js';
import { guidOf, partnerOf } from './guid.js';
import { wordOf } from './words.js';

/** A line of a bank or card statement. */
export function toBankTransaction(
  object: PlatformObject,
  lookups: Lookups,
): UnifiedRecord<typeof bankTransaction> {
  const codes = codesFrom(lookups);
  const currency = currencyOf(object['Amount']);
  const values = {
    accountId: codes.account(object['StatementAccountNumber']),
    fromAccountId: codes.account(object['FromAccountNumber']),
    toAccountId: codes.account(object['ToAccountNumber']),
    contactId: partnerOf(object),
    currencyId: codes.currency(currency),
    currencyCode: currency,
    currencyRate: decimalOf(object['ExchangeRate']),
    amount: amountOf(object['Amount']),
    debitOrCredit: sideOf(object),
    type: object['Nature'] === 'card' ? 'CREDIT_CARD' : wordOf(object['Nature']),
    status: object['State'] === 'voided' ? 'VOID' : wordOf(object['State']),
    transactionDate: dayOf(object['Date']),
    updatedAt: instantOf(object['ChangedOn']),
  };
  return { platformId: guidOf(object), unresolved: codes.unresolved(), values };
}

/** As on the bank's statement: money coming in is a credit. */
function sideOf(object: PlatformObject): 'DEBIT' | 'CREDIT' | null {
  switch (object['Kind']) {
    case 'receive':
      return 'CREDIT';
    case 'spend':
      return 'DEBIT';
    case 'transfer':
      return object['StatementAccountNumber'] === object['ToAccountNumber'] ? 'CREDIT' : 'DEBIT';
    default:
      return null;
  }
}
