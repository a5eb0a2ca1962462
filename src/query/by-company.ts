import type { TenantSql } from '../db/tenant-sql.js';

/**
 * Reads something for each key, in order, by one statement; on a cluster by one per company, which its node answers
 * alone: a query with a limit per key cannot span several nodes.
 */
export async function readByCompany<Key extends { readonly svcCompanyId: number }, Result>(
  sql: TenantSql,
  keys: readonly Key[],
  read: (keys: readonly Key[]) => Promise<readonly Result[]>,
): Promise<Result[]> {
  if (!sql.isCluster) return [...(await read(keys))];
  const companies = new Map<number, Key[]>();
  for (const key of keys) {
    companies.set(key.svcCompanyId, [...(companies.get(key.svcCompanyId) ?? []), key]);
  }
  const results = new Map<Key, Result>();
  await Promise.all(
    [...companies.values()].map(async (some) => {
      const found = await read(some);
      some.forEach((key, index) => results.set(key, found[index] as Result));
    }),
  );
  return keys.map((key) => results.get(key) as Result);
}
