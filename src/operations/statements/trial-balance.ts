import type { Context } from '../../context.js';
import { databaseTime } from '../../db/clock.js';
import { readLedger } from '../../query/ledger.js';
import { requireCompany } from '../companies/require-company.js';
import { accountsOf, amountText, sum, ZERO } from './accounts.js';
import { ledgersOf } from './ledgers.js';

interface TrialBalanceArguments {
  readonly companyId: number;
  readonly connectionId?: number | null | undefined;
  /** The last day that counts; today where absent. */
  readonly asOf?: string | null | undefined;
}

/**
 * What every account of a ledger holds after a day, on the side where it holds it: both sides come to the same. Throws
 * `operation-denied` where the books that were read are not the whole ledger.
 */
export async function trialBalance(context: Context, wanted: TrialBalanceArguments) {
  await requireCompany(context.client, wanted.companyId, 'companyId');
  const asOf = wanted.asOf ?? databaseTime().toISOString().slice(0, 10);
  const [ledger] = await ledgersOf(context, wanted);
  if (!ledger) throw new Error('ledgersOf gives one or throws');
  const rows = await readLedger(context.sql, [ledger], { starts: [asOf], end: asOf });
  const held = accountsOf(rows, 2)
    .map((account) => ({ account, net: account.held.at(-1) ?? ZERO }))
    .filter(({ net }) => !net.isZero());
  const debits = held.filter(({ net }) => net.isPositive()).map(({ net }) => net);
  const credits = held.filter(({ net }) => net.isNegative()).map(({ net }) => net.negated());
  return {
    svcCompanyId: ledger.svcCompanyId,
    connectionId: ledger.connectionId,
    asOf,
    currencyCode: ledger.currencyCode,
    totalDebit: amountText(sum(debits)),
    totalCredit: amountText(sum(credits)),
    lines: held.map(({ account: { accountId, name, nominalCode, category }, net }) => ({
      accountId,
      name,
      nominalCode,
      category,
      debit: net.isPositive() ? amountText(net) : null,
      credit: net.isNegative() ? amountText(net.negated()) : null,
    })),
  };
}
