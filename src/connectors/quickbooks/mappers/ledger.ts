import { type bankTransaction, type journalEntry, type journalLine } from '../../../records/index.js';
import { type PlatformObject } from '../../platform.js';
import { type Lookups, type UnifiedLine, type UnifiedRecord } from '../../pull.js';
import { sum } from '../../values/decimals.js';
import { decimalOf, objectOf, objectsIn, textOf } from '../../values/platform-values.js';
import { markOf } from '../kinds.js';
import { idOf } from '../query.js';
import { taxOf, trackingIdsOf } from './lines.js';
import { contactIdOf, dayOf, isUnresolved, isVoided, ratedCurrencyOf, refOf, updatedAtOf } from './values.js';

/** Money spent (a purchase), received (a deposit), or moved between two accounts, one of which may be a credit card. */
export function toBankTransaction(
  object: PlatformObject,
  lookups: Lookups,
): UnifiedRecord<typeof bankTransaction> {
  const { entity, platformId } = markOf(object);
  return {
    platformId,
    unresolved: isUnresolved(object, lookups),
    values: {
      ...ratedCurrencyOf(object, lookups),
      ...movementOf(entity, object),
      status: isVoided(object) ? 'VOID' : null,
      transactionDate: dayOf(object['TxnDate']),
      updatedAt: updatedAtOf(object),
    },
  };
}

/** As on a bank statement: money coming in is a credit. A transfer is both. */
function movementOf(entity: string, object: PlatformObject) {
  switch (entity) {
    case 'Transfer':
      return {
        fromAccountId: refOf(object['FromAccountRef']),
        toAccountId: refOf(object['ToAccountRef']),
        amount: decimalOf(object['Amount']),
        type: 'TRANSFER',
      };
    case 'CreditCardPayment':
      return {
        fromAccountId: refOf(object['BankAccountRef']),
        toAccountId: refOf(object['CreditCardAccountRef']),
        contactId: contactIdOf(object['VendorRef'], 'Vendor'),
        amount: decimalOf(object['Amount']),
        type: 'TRANSFER',
      };
    case 'Deposit':
      return {
        accountId: refOf(object['DepositToAccountRef']),
        amount: decimalOf(object['TotalAmt']),
        debitOrCredit: 'CREDIT' as const,
        type: 'DEPOSIT',
      };
    default:
      return {
        accountId: refOf(object['AccountRef']),
        contactId: contactIdOf(object['EntityRef']),
        amount: decimalOf(object['TotalAmt']),
        debitOrCredit: object['Credit'] === true ? ('CREDIT' as const) : ('DEBIT' as const),
        type: 'EXPENSE',
      };
  }
}

/** An entry made by hand. */
export function toJournalEntry(object: PlatformObject, lookups: Lookups): UnifiedRecord<typeof journalEntry> {
  const platformId = idOf(object);
  const lines = objectsIn(object['Line'])
    .filter(({ DetailType }) => DetailType === 'JournalEntryLineDetail')
    .map((line) => toJournalLine(line, platformId, object));
  return {
    platformId,
    unresolved: isUnresolved(object, lookups),
    values: {
      ...ratedCurrencyOf(object, lookups),
      amount: amountOf(lines),
      description: textOf(object['PrivateNote']),
      documentNumber: textOf(object['DocNumber']),
      journalEntryType: null,
      postedDate: dayOf(object['TxnDate']),
      status: 'POSTED',
      updatedAt: updatedAtOf(object),
    },
    lines: { journalLines: lines },
  };
}

function toJournalLine(
  line: PlatformObject,
  journalEntryId: string,
  document: PlatformObject,
): UnifiedLine<typeof journalLine> {
  const detail = objectOf(line['JournalEntryLineDetail']) ?? {};
  const entity = objectOf(detail['Entity']);
  const side = detail['PostingType'];
  return {
    platformId: null,
    values: {
      journalEntryId,
      accountId: refOf(detail['AccountRef']),
      contactId: contactIdOf(entity?.['EntityRef'], textOf(entity?.['Type'])),
      description: textOf(line['Description']),
      type: side === 'Debit' ? 'DEBIT' : side === 'Credit' ? 'CREDIT' : null,
      netAmount: decimalOf(line['Amount']),
      taxAmount: decimalOf(detail['TaxAmount']) ?? (taxOf(document) === null ? '0' : null),
      taxId: refOf(detail['TaxCodeRef']),
      trackingCategoryIds: trackingIdsOf(detail, document),
    },
  };
}

/** The total of debits, with tax where that is needed for them to equal the credits. */
function amountOf(lines: readonly UnifiedLine<typeof journalLine>[]): string | null {
  const total = (type: string, isTaxed: boolean) =>
    lines
      .filter(({ values }) => values.type === type)
      .reduce<string | null>((all, { values: { netAmount = null, taxAmount = null } }) => {
        return sum(all, isTaxed ? sum(netAmount, taxAmount) : netAmount);
      }, '0');
  if (lines.length === 0) return null;
  const net = total('DEBIT', false);
  return net !== null && net === total('CREDIT', false) ? net : (total('DEBIT', true) ?? net);
}
