import { connectors } from '../connectors/index.js';
import type { OwnerDatabase } from '../db/database.js';

/** Applies a new version's platform limits to existing connections. Returns how many changed. */
export async function renewLimits(owner: Pick<OwnerDatabase, 'pool'>): Promise<number> {
  const known = connectors.map(({ integrationType, category, limits }) => ({
    integration_type: integrationType,
    category,
    max_concurrent: limits.concurrent,
    max_per_minute: limits.perMinute,
    max_per_day: limits.perDay,
  }));
  const { rowCount } = await owner.pool.query(
    `UPDATE connections c
     SET max_concurrent = k.max_concurrent, max_per_minute = k.max_per_minute, max_per_day = k.max_per_day
     FROM json_to_recordset($1) AS k
       (integration_type text, category text, max_concurrent int, max_per_minute int, max_per_day int)
     WHERE (c.integration_type, c.category) = (k.integration_type, k.category)
       AND (c.max_concurrent, c.max_per_minute, c.max_per_day)
         IS DISTINCT FROM (k.max_concurrent, k.max_per_minute, k.max_per_day)`,
    [JSON.stringify(known)],
  );
  return rowCount ?? 0;
}
