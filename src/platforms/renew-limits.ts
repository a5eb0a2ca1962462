import { connectors } from '../connectors/index.js';
import type { OwnerDatabase } from '../db/database.js';

/** Brings the limits that a new version knows of a platform to the connections that are there. Returns how many. */
export async function renewLimits({ connection }: OwnerDatabase['prisma']): Promise<number> {
  let renewed = 0;
  for (const { integrationType, category, limits } of connectors) {
    const values = {
      maxConcurrent: limits.concurrent,
      maxPerMinute: limits.perMinute,
      maxPerDay: limits.perDay,
    };
    // `NOT` alone would leave out those without a day.
    const differs = [
      { maxConcurrent: { not: values.maxConcurrent } },
      { maxPerMinute: { not: values.maxPerMinute } },
      { maxPerDay: { not: values.maxPerDay } },
      ...(values.maxPerDay === null ? [] : [{ maxPerDay: null }]),
    ];
    const { count } = await connection.updateMany({
      where: { integrationType, category, OR: differs },
      data: values,
    });
    renewed += count;
  }
  return renewed;
}
