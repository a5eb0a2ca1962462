import type { TenantClient } from '../../db/tenant-client.js';
import { AppError } from '../../errors.js';
import type { Category } from '../../records/define.js';

/** A connection that could be used. */
export interface Candidate {
  readonly svcId: number;
  readonly integrationType: string;
  readonly category: Category;
  readonly status: string;
  readonly externalAccountId: string;
  readonly address: string | null;
  readonly settings: unknown;
  readonly baseCurrencyCode: string | null;
}

/** The company's connections, of one platform if named: accounting first, then oldest first. */
async function candidatesOf(
  client: TenantClient,
  companyId: number,
  integrationType: string | null,
): Promise<Candidate[]> {
  const rows = await client.connection.findMany({
    where: { svcCompanyId: BigInt(companyId), ...(integrationType === null ? {} : { integrationType }) },
    select: {
      svcId: true,
      integrationType: true,
      category: true,
      status: true,
      externalAccountId: true,
      address: true,
      settings: true,
      baseCurrencyCode: true,
    },
    orderBy: { svcId: 'asc' },
  });
  const later = ({ category }: Candidate) => (category === 'ACCOUNTING' ? 0 : 1);
  return rows
    .map((row) => ({ ...row, svcId: Number(row.svcId), category: row.category as Category }))
    .sort((one, other) => later(one) - later(other));
}

interface WantedConnection {
  readonly companyId: number;
  readonly connectionId?: number | null | undefined;
  readonly integrationType?: string | null | undefined;
  /** Absent: accounting first. */
  readonly category?: Category;
  /** Prefers the first healthy connection for which this is true. */
  readonly prefers?: (candidate: Candidate) => boolean;
  /** The argument to blame if there is none; absent: the company. */
  readonly missing?: 'companyId' | 'integrationType';
}

/** The first healthy connection that matches. Throws `not-found`, `connection-expired`. */
export async function pickConnection(client: TenantClient, wanted: WantedConnection): Promise<Candidate> {
  const { companyId, connectionId, integrationType = null, category, prefers = () => true } = wanted;
  const candidates = (await candidatesOf(client, companyId, integrationType)).filter(
    (one) =>
      (connectionId == null || one.svcId === connectionId) &&
      (category === undefined || one.category === category),
  );
  const healthy = candidates.filter(({ status }) => status === 'HEALTHY');
  const picked = healthy.find(prefers) ?? healthy[0] ?? candidates[0];
  if (!picked) {
    const field = connectionId == null ? (wanted.missing ?? 'companyId') : 'connectionId';
    const kind = category === undefined ? '' : ` for ${category}`;
    const to = integrationType === null ? '' : ` to ${integrationType}`;
    throw new AppError('not-found', `the company has no such connection${kind}${to}`, field);
  }
  if (picked.status === 'HEALTHY') return picked;
  const message = `the connection is ${picked.status}: the company has to connect ${picked.integrationType} again`;
  throw new AppError('connection-expired', message, 'connectionId');
}
