import { connectorFor } from '../../connectors/index.js';
import type { Context } from '../../context.js';
import { AppError } from '../../errors.js';
import type { Category } from '../../records/define.js';

/** The books of a company that statements can be computed of. */
export interface Ledger {
  readonly svcCompanyId: number;
  readonly connectionId: number;
  readonly currencyCode: string | null;
}

/** What must have been read as a whole. */
const PARTS = ['ACCOUNTS', 'JOURNAL_ENTRIES'] as const;

/**
 * The books that are there whole: their platform gives its ledger, and accounts and entries have been read. Of a company
 * that is named, throws `operation-denied` with what is lacking where there are none, and `not-found`.
 */
export async function ledgersOf(
  { client }: Pick<Context, 'client'>,
  {
    companyId,
    connectionId,
  }: { readonly companyId: number | null; readonly connectionId?: number | null | undefined },
): Promise<Ledger[]> {
  const rows = await client.connection.findMany({
    where: {
      category: 'ACCOUNTING',
      ...(companyId === null ? {} : { svcCompanyId: BigInt(companyId) }),
      ...(connectionId == null ? {} : { svcId: BigInt(connectionId) }),
    },
    select: {
      svcId: true,
      svcCompanyId: true,
      integrationType: true,
      category: true,
      company: { select: { baseCurrencyCode: true } },
      syncMarks: { select: { dataModel: true, completeAt: true } },
    },
    orderBy: { svcId: 'asc' },
  });
  const lacking: string[] = [];
  const ledgers = rows.flatMap(({ svcId, svcCompanyId, integrationType, category, company, syncMarks }) => {
    const { title, hasLedger } = connectorFor(integrationType, category as Category);
    const read = new Set(syncMarks.filter(({ completeAt }) => completeAt).map(({ dataModel }) => dataModel));
    const unread = PARTS.filter((part) => !read.has(part));
    if (!hasLedger) {
      lacking.push(
        `of ${title} only the journal entries are read that somebody wrote by hand, which are not the whole ledger`,
      );
    } else if (unread.length > 0)
      lacking.push(`of ${title} ${unread.join(' and ')} were not read as a whole yet`);
    else {
      return {
        svcCompanyId: Number(svcCompanyId),
        connectionId: Number(svcId),
        currencyCode: company.baseCurrencyCode,
      };
    }
    return [];
  });
  if (companyId !== null && ledgers.length === 0) throw notComplete(lacking);
  return ledgers;
}

/** The books are not enough to compute anything of. */
function notComplete(lacking: readonly string[]): AppError {
  const why = lacking.length > 0 ? lacking.join('; ') : 'it has no connection to an accounting platform';
  return new AppError('operation-denied', `the books of this company are not complete: ${why}`, 'companyId');
}
