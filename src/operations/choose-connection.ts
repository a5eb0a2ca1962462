import type { TenantClient } from '../db/tenant-client.js';
import type { Category } from '../records/define.js';

/** A connection that something could go through. */
export interface Candidate {
  readonly svcId: number;
  readonly integrationType: string;
  readonly category: Category;
  readonly status: string;
  readonly externalAccountId: string;
}

/** The company's connections, of one platform where it is named: accounting first, then the oldest. */
export async function candidatesOf(
  client: TenantClient,
  companyId: number,
  integrationType: string | null,
): Promise<Candidate[]> {
  const rows = await client.connection.findMany({
    where: { svcCompanyId: BigInt(companyId), ...(integrationType === null ? {} : { integrationType }) },
    select: { svcId: true, integrationType: true, category: true, status: true, externalAccountId: true },
    orderBy: { svcId: 'asc' },
  });
  const later = ({ category }: Candidate) => (category === 'ACCOUNTING' ? 0 : 1);
  return rows
    .map((row) => ({ ...row, svcId: Number(row.svcId), category: row.category as Category }))
    .sort((one, other) => later(one) - later(other));
}
