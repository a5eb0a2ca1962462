import type { TenantSql } from '../db/tenant-sql.js';
import type { StoreTarget } from './change-log.js';
import type { ReadyBatch } from './ready-batch.js';
import { differingSql } from './compare-statements.js';
import { differingLines } from './store-lines.js';

/** The platform ids of the records of a batch whose values or lines differ from the stored ones. */
export async function differingRecords(
  sql: TenantSql,
  target: StoreTarget,
  { definition, platformIds, rows, lines }: ReadyBatch,
  svcIdOf: (platformId: string) => number | undefined,
): Promise<ReadonlySet<string>> {
  if (platformIds.length === 0) return new Set();
  const query = sql.query();
  const own = await sql.rows<{ platformId: string }>(query, differingSql(query, definition, target, rows));
  const differing = new Set(own.map(({ platformId }) => platformId));
  for (const { definition: line, ofDocument } of lines) {
    const documents = [...ofDocument].flatMap(([parentPlatformId, ready]) => {
      const parentSvcId = svcIdOf(parentPlatformId);
      return parentSvcId === undefined ? [] : [{ parentSvcId, parentPlatformId, lines: ready }];
    });
    for (const platformId of await differingLines(sql, line, target, documents)) differing.add(platformId);
  }
  return differing;
}
