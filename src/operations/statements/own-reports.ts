import type { PlatformClient } from '../../connectors/platform.js';
import type {
  PlatformReports,
  ReportPeriod,
  StatementBodies,
  StatementKind,
  TrialLine,
} from '../../connectors/reports.js';
import type { Context } from '../../context.js';
import { invalid } from '../../errors.js';
import { pickConnection } from '../connections/choose-connection.js';
import { reachConnection } from '../connections/reach-connection.js';
import { requireAccess } from '../../platforms/scope-access.js';
import { type Books, LEDGER_PARTS } from './books.js';

/** Maximum reports per request: each is a call to the platform, which limits calls per minute. */
export const MAX_REPORTS = 12;

/** Refuses more reports of a platform than one request may ask for. */
export function checkReportCount({ connector: { title } }: Books, count: number): void {
  if (count <= MAX_REPORTS) return;
  throw invalid('period', `needs ${count} statements from ${title}: ask for at most ${MAX_REPORTS}`);
}

/** The same for statements found by their ids. */
export function checkFoundCount(count: number): void {
  if (count <= MAX_REPORTS) return;
  throw invalid('ids', `names ${count} statements made by platforms: ask for at most ${MAX_REPORTS}`);
}

/** Whether a platform makes a report. */
export const makes = ({ connector }: Books, report: keyof PlatformReports): boolean =>
  connector.reports?.[report] !== undefined;

/**
 * A platform's own current statements of some periods, in that order. Throws `connection-expired`, `conflict` if its
 * integration is disabled, and the `platform-*` codes.
 */
export async function readStatements<Kind extends StatementKind>(
  context: Context,
  books: Books,
  kind: Kind,
  periods: readonly ReportPeriod[],
): Promise<StatementBodies[Kind][]> {
  const read = books.connector.reports?.[kind] as
    ((client: PlatformClient, period: ReportPeriod) => Promise<StatementBodies[Kind]>) | undefined;
  if (!read) throw new Error(`${books.connector.title} makes no ${kind}`);
  const platform = await openBooks(context, books);
  return Promise.all(periods.map((period) => read(platform, period)));
}

/** A platform's own trial balance at the end of a day. */
export async function readTrialBalance(
  context: Context,
  books: Books,
  asOf: string,
): Promise<readonly TrialLine[]> {
  const read = books.connector.reports?.trialBalance;
  if (!read) throw new Error(`${books.connector.title} makes no trial balance`);
  return read(await openBooks(context, books), asOf);
}

async function openBooks(context: Context, { svcCompanyId, connectionId }: Books): Promise<PlatformClient> {
  const wanted = { companyId: svcCompanyId, connectionId, category: 'ACCOUNTING' as const };
  const connection = await pickConnection(context.client, wanted);
  const access = { svcCompanyId, category: wanted.category, operations: ['read'] } as const;
  await requireAccess(context.client, { ...access, dataModels: LEDGER_PARTS });
  return (await reachConnection(context, svcCompanyId, connection)).platform;
}
