import type { UnifiedRecord } from '../../../connectors/pull.js';
import type { account, bankAccount } from '../../../records/index.js';

/** Code in the chart, bank, account number at the bank. */
const BANKS: readonly (readonly [string, string | null, string | null])[] = [
  ['1010', 'Harbour Bank', '062-000 1048 2216'],
  ['1020', 'Harbour Bank', '062-000 1048 2224'],
  ['1030', 'Card Payments Australia', '330-118 7700 4512'],
  ['1040', null, null],
  ['2400', 'Southern Cards', '**** **** **** 4071'],
];

/** The accounts of the chart that are held at a bank, with their balances. */
export function createBankAccounts(
  accounts: readonly UnifiedRecord<typeof account>[],
): UnifiedRecord<typeof bankAccount>[] {
  return accounts.flatMap(({ platformId, values }) => {
    const bank = BANKS.find(([code]) => code === values.nominalCode);
    if (!bank) return [];
    const { name, currentBalance, currencyId, currencyCode, subCategory, updatedAt } = values;
    return [
      {
        platformId,
        values: {
          institutionName: bank[1],
          accountName: name ?? null,
          accountNumber: bank[2],
          balance: currentBalance ?? null,
          currencyId: currencyId ?? null,
          currencyCode: currencyCode ?? null,
          category: subCategory ?? null,
          updatedAt: updatedAt ?? null,
        },
      },
    ];
  });
}
