import { readFileSync } from 'node:fs';

import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { testDatabaseUrl } from '../support/service.js';

const MIGRATION = 'prisma/migrations/20261122140000_paths_of_items/migration.sql';

let client: pg.Client;
beforeAll(async () => {
  client = new pg.Client({ connectionString: testDatabaseUrl() });
  await client.connect();
});
afterAll(() => client.end());

/** What the migration makes of the errors and warnings of items that are stored. */
async function migrated(rows: readonly object[]): Promise<unknown[]> {
  await client.query('BEGIN');
  try {
    await client.query('CREATE SCHEMA before; SET LOCAL search_path TO before');
    await client.query(
      `CREATE TABLE upload_items (position int, error_field text, error_message text, warnings jsonb DEFAULT '[]')`,
    );
    await client.query(
      `INSERT INTO upload_items SELECT * FROM jsonb_to_recordset($1::jsonb)
         AS r (position int, error_field text, error_message text, warnings jsonb)`,
      [JSON.stringify(rows.map((row, position) => ({ position, warnings: [], ...row })))],
    );
    await client.query(readFileSync(MIGRATION, 'utf8'));
    const { rows: found } = await client.query(
      'SELECT error_path AS path, error_message AS words, warnings FROM upload_items ORDER BY position',
    );
    return found;
  } finally {
    await client.query('ROLLBACK');
  }
}

test('what is stored of items keeps its meaning: a path and words, in whose style it is read', async () => {
  const found = await migrated([
    {
      error_field: 'journal_lines[0].net_amount',
      error_message: 'Invalid field: journal_lines[0].net_amount. It must not be negative',
    },
    {
      error_field: 'raw_data.InventoryAssetAccountCode',
      error_message: 'Missing required field: raw_data.InventoryAssetAccountCode. Is needed',
    },
    {
      error_field: 'document_number',
      error_message: 'Record already exists with given: document_number. W-1 is taken',
    },
    { error_field: 'platform_id', error_message: 'Operation Denied: it is not there' },
    { error_field: '', error_message: 'Invalid field: it did not answer' },
    { error_field: null, error_message: null, warnings: ['memmo is not written', 'odd'] },
  ]);
  expect(found).toEqual([
    { path: ['journalLines', 0, 'netAmount'], words: 'It must not be negative', warnings: [] },
    { path: ['rawData', 'InventoryAssetAccountCode'], words: 'Is needed', warnings: [] },
    { path: ['documentNumber'], words: 'W-1 is taken', warnings: [] },
    { path: ['platformId'], words: 'Operation Denied: it is not there', warnings: [] },
    { path: null, words: 'Invalid field: it did not answer', warnings: [] },
    {
      path: null,
      words: null,
      warnings: [
        { words: 'memmo is not written', path: [] },
        { words: 'odd', path: [] },
      ],
    },
  ]);
});
