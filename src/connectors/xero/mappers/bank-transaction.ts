import { type bankTransaction } from '../../../records/index.js';
import { type PlatformObject } from '../../platform.js';
import { type Lookups, type UnifiedRecord } from '../../pull.js';
import { decimalOf, objectOf, textOf } from '../../values/platform-values.js';
import { calendarDayOf, timestampOf } from '../dates.js';
import { currencyRateOf } from './currency-rate.js';
import { platformIdOf } from './platform-id.js';
import { bankTransactionStatus } from './status.js';

/** Prefix of transfer ids: Xero lists transfers separately, with their own ids. */
export const TRANSFER_PREFIX = 'BankTransfer:';

/** Money received, spent, or transferred between two bank accounts. */
export function toBankTransaction(
  object: PlatformObject,
  lookups: Lookups,
): UnifiedRecord<typeof bankTransaction> {
  const isTransfer = textOf(object['BankTransactionID']) === null && object['BankTransferID'] !== undefined;
  return isTransfer ? fromTransfer(object) : fromTransaction(object, lookups);
}

function fromTransaction(object: PlatformObject, lookups: Lookups): UnifiedRecord<typeof bankTransaction> {
  const type = textOf(object['Type']);
  const status = textOf(object['Status']);
  const currencyCode = textOf(object['CurrencyCode']);
  return {
    platformId: platformIdOf(object, 'BankTransactionID'),
    deleted: status === 'DELETED',
    values: {
      accountId: accountIdOf(object['BankAccount']),
      contactId: textOf(objectOf(object['Contact'])?.['ContactID']),
      currencyId: currencyCode,
      currencyCode,
      currencyRate: currencyRateOf(object, lookups),
      amount: decimalOf(object['Total']),
      debitOrCredit: sideOf(type),
      type,
      status: bankTransactionStatus(status),
      transactionDate: calendarDayOf(object['DateString'], object['Date']),
      updatedAt: timestampOf(object['UpdatedDateUTC']),
    },
  };
}

/**
 * A transfer debits one account and credits the other, so it has no side itself. Xero reports neither its currency, so
 * its rate is unknown, nor a time of change: it is created once and at most deleted.
 */
function fromTransfer(object: PlatformObject): UnifiedRecord<typeof bankTransaction> {
  const status = textOf(object['Status']);
  return {
    platformId: `${TRANSFER_PREFIX}${platformIdOf(object, 'BankTransferID')}`,
    deleted: status === 'DELETED',
    values: {
      fromAccountId: accountIdOf(object['FromBankAccount']),
      toAccountId: accountIdOf(object['ToBankAccount']),
      amount: decimalOf(object['Amount']),
      type: 'TRANSFER',
      status: bankTransactionStatus(status),
      transactionDate: calendarDayOf(object['DateString'], object['Date']),
      updatedAt: timestampOf(object['CreatedDateUTC']),
    },
  };
}

/** As on a bank statement: money coming in is a credit. */
function sideOf(type: string | null): 'CREDIT' | 'DEBIT' | null {
  if (type?.startsWith('RECEIVE')) return 'CREDIT';
  return type?.startsWith('SPEND') ? 'DEBIT' : null;
}

function accountIdOf(account: unknown): string | null {
  return textOf(objectOf(account)?.['AccountID']);
}
