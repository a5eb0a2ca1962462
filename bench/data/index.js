import { companiesSql } from './companies.js';
import { recordsSql } from './records.js';

/** Part of the name of stored data: a new number creates it again. */
export const DATA_VERSION = 2;

/**
 * Fills an empty, migrated database. The same `rows` always give the same data. `raw` data is `usual`, or `small` if
 * many rows have to fit on a disk.
 */
export async function makeData(client, { rows, raw }) {
  const start = Date.now();
  process.stderr.write(`making ${rows} bill payments and what belongs to them `);
  await client.query('SET synchronous_commit = off');
  for (const statement of [...companiesSql(rows), ...recordsSql(raw)]) {
    await client.query(statement);
    process.stderr.write('.');
  }
  await client.query('VACUUM ANALYZE');
  await client.query('CHECKPOINT').catch(() => {});
  await client.query('RESET synchronous_commit');
  process.stderr.write(` ${Math.round((Date.now() - start) / 1000)} s\n`);
}
