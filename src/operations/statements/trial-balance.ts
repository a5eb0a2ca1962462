import type { Decimal } from 'decimal.js';
import { Exact } from '../../connectors/values/decimals.js';
import { amountText } from '../../connectors/reports.js';
import type { Context } from '../../context.js';
import { databaseTime } from '../../db/clock.js';
import { AppError } from '../../errors.js';
import { readLedger } from '../../query/ledger.js';
import { requireCompany } from '../companies/require-company.js';
import { accountsOf, categoryOf, type LedgerAccount, sum, ZERO } from './accounts.js';
import { type Books, booksOf, noStatement } from './books.js';
import { makes, readTrialBalance } from './own-reports.js';
import type { StatementSource } from './statement.js';

interface TrialBalanceArguments {
  readonly companyId: number;
  readonly connectionId?: number | null | undefined;
  readonly integrationType?: string | null | undefined;
  /** Absent: the ledger if complete, else the platform. */
  readonly source?: StatementSource | null | undefined;
  /** The last day included; absent: today in UTC. */
  readonly asOf?: string | null | undefined;
}

/** An account with its balance: a credit balance is negative. */
type Held = Pick<LedgerAccount, 'accountId' | 'name' | 'nominalCode' | 'category'> & {
  readonly net: Decimal;
};

/**
 * The balance of every account of a ledger at the end of a day, as debit or credit: both sides have equal totals. If
 * the ledger is incomplete, the platform's own; throws `operation-denied` if it has none.
 */
export async function trialBalance(context: Context, wanted: TrialBalanceArguments) {
  await requireCompany(context.client, wanted.companyId, 'companyId');
  const asOf = wanted.asOf ?? databaseTime().toISOString().slice(0, 10);
  const all = await booksOf(context, wanted);
  const { books, source, held } = await readHeld(context, all, { asOf, source: wanted.source ?? null });
  const debits = held.filter(({ net }) => net.isPositive()).map(({ net }) => net);
  const credits = held.filter(({ net }) => net.isNegative()).map(({ net }) => net.negated());
  return {
    svcCompanyId: books.svcCompanyId,
    connectionId: books.connectionId,
    source,
    asOf,
    currencyCode: books.currencyCode,
    totalDebit: amountText(sum(debits)),
    totalCredit: amountText(sum(credits)),
    lines: held.map(({ net, ...account }) => ({
      ...account,
      debit: net.isPositive() ? amountText(net) : null,
      credit: net.isNegative() ? amountText(net.negated()) : null,
    })),
  };
}

interface WantedDay {
  readonly asOf: string;
  readonly source: StatementSource | null;
}

async function readHeld(
  context: Context,
  all: readonly Books[],
  { asOf, source }: WantedDay,
): Promise<{ readonly books: Books; readonly source: StatementSource; readonly held: readonly Held[] }> {
  const whole = all.find(({ lacking }) => lacking === null);
  const own = source === 'LEDGER' ? undefined : all.find((books) => makes(books, 'trialBalance'));
  if (whole && source !== 'PLATFORM') {
    try {
      return { books: whole, source: 'LEDGER', held: await readLedgerAt(context, whole, asOf) };
    } catch (error) {
      if (!own || !(error instanceof AppError)) throw error;
    }
  }
  if (own) return { books: own, source: 'PLATFORM', held: await readOwnAt(context, own, asOf) };
  throw noStatement(all, source === 'PLATFORM', 'trial balance');
}

async function readLedgerAt(context: Context, books: Books, asOf: string): Promise<Held[]> {
  const rows = await readLedger(context.lists, [books], { starts: [asOf], end: asOf });
  return accountsOf(rows, 2).flatMap(({ accountId, name, nominalCode, category, held }) => {
    const net = held.at(-1) ?? ZERO;
    return net.isZero() ? [] : [{ accountId, name, nominalCode, category, net }];
  });
}

/** Codes and categories are from the accounts read. */
async function readOwnAt(context: Context, books: Books, asOf: string): Promise<Held[]> {
  const lines = await readTrialBalance(context, books, asOf);
  const left = sum(lines.map(({ net }) => new Exact(net)));
  if (!left.isZero()) {
    const { title } = books.connector;
    throw new AppError(
      'platform-answer',
      `${title} sent a trial balance whose debits are ${left.toFixed()} more than its credits`,
    );
  }
  const accounts = await context.client.account.findMany({
    where: {
      svcCompanyId: BigInt(books.svcCompanyId),
      connectionId: BigInt(books.connectionId),
      platformId: { in: lines.map(({ accountId }) => accountId) },
    },
    select: { platformId: true, nominalCode: true, category: true },
  });
  const known = new Map(accounts.map((account) => [account.platformId, account]));
  return lines.flatMap(({ accountId, name, net }) => {
    const { nominalCode = null, category = null } = known.get(accountId) ?? {};
    const amount = new Exact(net);
    if (amount.isZero()) return [];
    const account = { accountId, name: withoutCode(name, nominalCode), nominalCode };
    return [{ ...account, category: categoryOf(category), net: amount }];
  });
}

/** Other text in brackets, as in `Petty cash (Sydney)`, is part of the name. */
function withoutCode(name: string, code: string | null): string {
  const suffix = ` (${code})`;
  return code !== null && name.endsWith(suffix) ? name.slice(0, -suffix.length) : name;
}
