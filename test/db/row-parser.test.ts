import { afterAll, beforeAll, expect, test } from '@jest/globals';
import fc from '../support/fast-check.js';
import pg from 'pg';
import { DatabaseClient } from '../../src/db/pool/client.js';
import { databaseUrl } from '../support/database.js';

const ours = new DatabaseClient({ connectionString: databaseUrl });
const plain = new pg.Client({ connectionString: databaseUrl });
beforeAll(() => Promise.all([ours.connect(), plain.connect()]));
afterAll(() => Promise.all([ours.end(), plain.end()]));

// PostgreSQL's texts have no null character and no half of a pair.
const character = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...'aZ09 \t"\\,{}\x7f') },
  fc.constantFrom('\x80', 'é', 'ÿ', '߿', '\u0800', '€', '\ufffd', '\uffff', '💶', '\u{10ffff}'),
);
const text = fc.oneof(
  fc.string({ unit: character, maxLength: 12 }),
  // The lengths of these are no ASCII themselves.
  fc.string({ unit: character, minLength: 100, maxLength: 300 }),
  fc.constant('x'.repeat(70_000)),
);
const value = fc.option(text, { freq: 5, nil: null });
const rows = fc.array(fc.tuple(value, value, value), { minLength: 1, maxLength: 40 });

test('reads every row as pg does', async () => {
  const statement = 'SELECT * FROM unnest($1::text[], $2::text[], $3::text[]) AS t (a, b, c)';
  await fc.assert(
    fc.asyncProperty(rows, async (given) => {
      const columns = [0, 1, 2].map((column) => given.map((row) => row[column as 0 | 1 | 2]));
      const [read, expected] = await Promise.all([
        ours.query(statement, columns),
        plain.query(statement, columns),
      ]);
      expect(read.rows).toEqual(expected.rows);
      expect(read.rows).toEqual(given.map(([a, b, c]) => ({ a, b, c })));
    }),
    { numRuns: 150 },
  );
});

test('reads rows without columns, and other values than texts', async () => {
  const statement = `SELECT 1.50 AS amount, true AS flag, NULL AS nothing, '' AS empty, '{"a": "é"}'::jsonb AS json,
    ARRAY['é', 'b'] AS list`;
  for (const query of [statement, 'SELECT FROM generate_series(1, 3)']) {
    const [read, expected] = await Promise.all([ours.query(query), plain.query(query)]);
    expect(read.rows).toEqual(expected.rows);
  }
});
