import { createHash } from 'node:crypto';
import type { ReportPeriod, StatementBodies, StatementKind } from '../../connectors/reports.js';
import { databaseTime } from '../../db/clock.js';
import type { LedgerRow } from '../../query/ledger.js';
import type { Books } from './books.js';

/** Source of a statement: computed by this service from a ledger, or the platform's own. */
export type StatementSource = 'LEDGER' | 'PLATFORM';

/** Common fields of all statements. */
export interface StatementHead {
  readonly kind: StatementKind;
  readonly source: StatementSource;
  readonly books: Books;
  /** Number of statements in its list, for all books and periods. */
  readonly siblings: number;
  readonly svcId: number;
  readonly svcCompanyId: number;
  readonly connectionId: number;
  readonly svcIntegrationType: string;
  readonly svcCreatedAt: string;
  readonly svcUpdatedAt: string;
  readonly platformId: string;
  readonly periodStart: string;
  readonly periodEnd: string;
  readonly currencyId: string | null;
  readonly currencyCode: string | null;
  readonly updatedAt: string | null;
}

export type Statement<Kind extends StatementKind = StatementKind> = StatementHead & StatementBodies[Kind];

/** Books and periods of the requested statements. */
export interface WantedStatements<Kind extends StatementKind> {
  readonly kind: Kind;
  readonly periods: readonly ReportPeriod[];
  readonly books: readonly Books[];
}

interface HeadSource extends Pick<StatementHead, 'source' | 'siblings'> {
  readonly currencies: ReadonlyMap<number, string>;
}

type Times = Pick<StatementHead, 'svcCreatedAt' | 'svcUpdatedAt' | 'updatedAt'>;

/** Common fields of a period's statement, except its times. */
export function headOf(
  kind: StatementKind,
  books: Books,
  { start, end }: ReportPeriod,
  { source, siblings, currencies }: HeadSource,
): Omit<StatementHead, keyof Times> {
  const { svcCompanyId, connectionId, currencyCode, connector } = books;
  const platformId = `${start}/${end}`;
  return {
    kind,
    source,
    books,
    siblings,
    svcId: idOf(`${kind}/${connectionId}/${platformId}`),
    svcCompanyId,
    connectionId,
    svcIntegrationType: connector.integrationType,
    platformId,
    periodStart: start,
    periodEnd: end,
    currencyId: currencies.get(connectionId) ?? null,
    currencyCode,
  };
}

/** When the latest entry of a ledger was stored; now, if no ledger was read. */
export function timesOf(rows: readonly LedgerRow[]): Times {
  const latest = (times: readonly (string | null)[]) =>
    times.reduce((a, b) => ((b ?? '') > (a ?? '') ? b : a), null);
  const storedAt = latest(rows.map((row) => row.storedAt)) ?? databaseTime().toISOString();
  return {
    svcCreatedAt: storedAt,
    svcUpdatedAt: storedAt,
    updatedAt: latest(rows.map((row) => row.updatedAt)),
  };
}

/** An id for statements, which are not stored: stable for the same statement of the same books. */
const idOf = (text: string): number => createHash('sha256').update(text).digest().readUIntBE(0, 6);
