import type { Connector } from '../../connectors/connector.js';
import { connectorFor, connectorsOf } from '../../connectors/index.js';
import type { Context } from '../../context.js';
import { AppError } from '../../errors.js';
import type { Category } from '../../records/define.js';

/** The books of a company at one connection. */
export interface Books {
  readonly svcCompanyId: number;
  readonly connectionId: number;
  readonly currencyCode: string | null;
  readonly connector: Connector;
  /** Why nothing can be computed from it; null if the ledger is complete. */
  readonly lacking: string | null;
}

/** Selects books; without a company, those of the whole organisation. */
interface WantedBooks {
  readonly companyId: number | null;
  readonly connectionId?: number | readonly number[] | null | undefined;
  readonly integrationType?: string | null | undefined;
}

/** The record types of a ledger. All of them must have been read completely. */
export const LEDGER_PARTS = ['ACCOUNTS', 'JOURNAL_ENTRIES'] as const;

/** The books of companies, the oldest connection first. */
export async function booksOf(
  { client }: Pick<Context, 'client'>,
  { companyId, connectionId, integrationType }: WantedBooks,
): Promise<Books[]> {
  if (integrationType != null) connectorsOf(integrationType);
  const rows = await client.connection.findMany({
    where: {
      category: 'ACCOUNTING',
      ...(companyId === null ? {} : { svcCompanyId: BigInt(companyId) }),
      ...(connectionId == null ? {} : { svcId: { in: [connectionId].flat().map(BigInt) } }),
      ...(integrationType == null ? {} : { integrationType }),
    },
    select: {
      svcId: true,
      svcCompanyId: true,
      integrationType: true,
      category: true,
      baseCurrencyCode: true,
      syncMarks: { select: { dataModel: true, wholeAt: true } },
    },
    orderBy: { svcId: 'asc' },
  });
  const ofThese = { connectionId: { in: rows.map(({ svcId }) => svcId) } };
  const [bases, unmapped] = await Promise.all([
    client.currency.findMany({
      where: { ...ofThese, isBaseCurrency: true, svcDeletedAt: null },
      select: { connectionId: true, code: true },
    }),
    client.unmappedRecord.findMany({
      where: { ...ofThese, dataModel: { in: [...LEDGER_PARTS] } },
      select: { connectionId: true, dataModel: true },
      distinct: ['connectionId', 'dataModel'],
    }),
  ]);
  return rows.map(
    ({ svcId, svcCompanyId, integrationType: platform, category, baseCurrencyCode, syncMarks }) => {
      const connector = connectorFor(platform, category as Category);
      const isOfThis = (one: { readonly connectionId: bigint }) => one.connectionId === svcId;
      const odd = new Set(unmapped.filter(isOfThis).map(({ dataModel }) => dataModel));
      const whole = new Set(syncMarks.filter(({ wholeAt }) => wholeAt).map(({ dataModel }) => dataModel));
      return {
        svcCompanyId: Number(svcCompanyId),
        connectionId: Number(svcId),
        currencyCode: bases.find(isOfThis)?.code ?? baseCurrencyCode,
        connector,
        lacking: lackingOf(connector, {
          unread: LEDGER_PARTS.filter((part) => !whole.has(part)),
          unmapped: LEDGER_PARTS.filter((part) => odd.has(part)),
        }),
      };
    },
  );
}

function lackingOf(
  { title, hasLedger }: Connector,
  { unread, unmapped }: { readonly unread: readonly string[]; readonly unmapped: readonly string[] },
): string | null {
  if (!hasLedger) {
    return `of ${title} only the journal entries are read that were written by hand, which are not the whole ledger`;
  }
  if (unread.length > 0) return `of ${title} ${unread.join(' and ')} were not read as a whole yet`;
  if (unmapped.length === 0) return null;
  return `of ${title} some ${unmapped.join(' and ')} could not be mapped; once they are fixed, a full sync reads them`;
}

export const notComplete = (why: string): AppError =>
  new AppError('operation-denied', `the books of this company are not complete: ${why}`, 'companyId');

/** Why none of a company's books gave what was wanted. */
export function noStatement(all: readonly Books[], isOfPlatform: boolean, what: string): AppError {
  if (isOfPlatform && all.length > 0) {
    const titles = [...new Set(all.map(({ connector: { title } }) => title))].join(' and ');
    return new AppError('operation-denied', `${titles} provides no ${what}`, 'source');
  }
  const lacking = all.flatMap((books) => books.lacking ?? []);
  return notComplete(lacking.join('; ') || 'it has no connection to an accounting platform');
}
