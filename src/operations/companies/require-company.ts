import type { TenantClient } from '../../db/tenant-client.js';
import { AppError, type FieldPath } from '../../errors.js';

/** A company of the scope; throws `not-found` that names `field`. */
export async function requireCompany(
  client: TenantClient,
  svcId: number,
  field: FieldPath,
): Promise<{ readonly svcId: number; readonly name: string }> {
  const row = await client.company.findFirst({
    where: { svcId: BigInt(svcId) },
    select: { svcId: true, name: true },
  });
  if (!row) throw new AppError('not-found', 'there is no such company', field);
  return { svcId: Number(row.svcId), name: row.name };
}
