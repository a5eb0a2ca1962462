import { Decimal } from 'decimal.js';
import type { UnifiedRecord } from '../../../connectors/pull.js';
import type { bankTransaction } from '../../../records/index.js';
import { money } from '../money.js';
import type { Random } from '../random.js';
import { many, type Size, spread } from '../size.js';
import { day, instant } from '../time.js';
import type { DemoContact } from './contacts.js';
import { BASE_CURRENCY, currencyFields } from './currencies.js';

interface Template {
  readonly type: 'EXPENSE' | 'DEPOSIT' | 'TRANSFER' | 'CREDIT_CARD' | 'FEE';
  /** The account whose statement shows the transaction. */
  readonly account: string;
  readonly from: string;
  readonly to: string;
  /** The type of the other party. */
  readonly contact: DemoContact['type'] | null;
  /** In cents. */
  readonly range: readonly [number, number];
}

const TEMPLATES: readonly Template[] = [
  {
    type: 'EXPENSE',
    account: '1010',
    from: '1010',
    to: '6100',
    contact: 'VENDOR',
    range: [180_000, 260_000],
  },
  {
    type: 'DEPOSIT',
    account: '1010',
    from: '4200',
    to: '1010',
    contact: 'CUSTOMER',
    range: [8_000, 420_000],
  },
  { type: 'TRANSFER', account: '1010', from: '1010', to: '1020', contact: null, range: [50_000, 900_000] },
  { type: 'CREDIT_CARD', account: '2400', from: '2400', to: '6300', contact: 'VENDOR', range: [900, 48_000] },
  { type: 'DEPOSIT', account: '1020', from: '4900', to: '1020', contact: null, range: [120, 9_800] },
  { type: 'EXPENSE', account: '1010', from: '1010', to: '6400', contact: 'VENDOR', range: [2_400, 95_000] },
  { type: 'FEE', account: '1010', from: '1010', to: '6600', contact: null, range: [250, 4_500] },
  { type: 'TRANSFER', account: '1030', from: '1030', to: '1010', contact: null, range: [30_000, 640_000] },
  {
    type: 'DEPOSIT',
    account: '1010',
    from: '4100',
    to: '1010',
    contact: 'CUSTOMER',
    range: [4_000, 180_000],
  },
];
const TRANSACTIONS = 54;

/** Transactions on the statements of the bank accounts and the credit card. */
export function createBankTransactions(
  random: Random,
  contacts: readonly DemoContact[],
  size: Size,
): UnifiedRecord<typeof bankTransaction>[] {
  const active = contacts.filter((one) => one.active);
  const partners = {
    CUSTOMER: active.filter(({ type }) => type === 'CUSTOMER'),
    VENDOR: active.filter(({ type }) => type === 'VENDOR'),
  };
  return Array.from({ length: many(size, TRANSACTIONS) }, (_, index) => {
    const { account, from, to, type, contact, range } = random.pick(TEMPLATES);
    const days = spread(size, index, 2.7);
    return {
      platformId: `bnk-${index + 1}`,
      // Imported twice, then deleted.
      deleted: index % 27 === 26,
      values: {
        accountId: `acc-${account}`,
        fromAccountId: `acc-${from}`,
        toAccountId: `acc-${to}`,
        contactId: contact === null ? null : random.pick(partners[contact]).platformId,
        ...currencyFields(BASE_CURRENCY),
        amount: money(new Decimal(random.integer(...range)).div(100)),
        // As on the bank's statement: incoming money is a credit.
        debitOrCredit: account === to ? 'CREDIT' : 'DEBIT',
        type,
        status: index % 9 === 4 ? 'PENDING' : 'CLEARED',
        transactionDate: day(days),
        updatedAt: instant(days),
      },
    };
  });
}
