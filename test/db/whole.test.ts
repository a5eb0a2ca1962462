import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { migrate, MigrationError } from '../../src/db/migrations/index.js';
import { databaseUrl } from '../support/database.js';

let client: pg.Client;
beforeAll(async () => {
  client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
});
afterAll(() => client.end());

/** What a start says of the database after a change, which is taken back. */
async function saidOf(change: string, undo: string): Promise<string | null> {
  await client.query(change);
  try {
    const refusal = await migrate(databaseUrl).then(
      () => null,
      (error: unknown) => error,
    );
    expect(refusal === null || refusal instanceof MigrationError).toBe(true);
    return refusal && (refusal as Error).message;
  } finally {
    await client.query(undo);
  }
}

test('a whole database is taken, whatever else is in it', async () => {
  expect(await saidOf('CREATE TABLE own_notes (text text)', 'DROP TABLE own_notes')).toBeNull();
});

test('a database that a restore left without row-level security is refused', async () => {
  const wall = (verb: string) => `ALTER TABLE bills ${verb} ROW LEVEL SECURITY`;
  expect(await saidOf(wall('DISABLE'), wall('ENABLE'))).toContain(
    'the database was not restored completely: bills has no row-level security. Restore it again',
  );
  const { rows } = await client.query(
    `SELECT format('CREATE POLICY %I ON organisations USING (%s)', policyname, qual) AS make,
       format('DROP POLICY %I ON organisations', policyname) AS drop
     FROM pg_policies WHERE tablename = 'organisations'`,
  );
  const all = (which: 'make' | 'drop') => rows.map((row) => row[which]).join('; ');
  expect(rows.length).toBeGreaterThan(0);
  expect(await saidOf(all('drop'), all('make'))).toContain('organisations has no row-level security');
});

test('a database that a restore left without keys is refused, in one message', async () => {
  const { rows } = await client.query(
    `SELECT format('ALTER TABLE %I DROP CONSTRAINT %I CASCADE', r.relname, c.conname) AS drop
     FROM pg_constraint c JOIN pg_class r ON r.oid = c.conrelid
     WHERE c.contype = 'p' AND r.relnamespace = 'public'::regnamespace AND NOT r.relispartition
       AND r.relname NOT IN ('_prisma_migrations')`,
  );
  const drop = rows.map((row) => row.drop).join('; ');
  expect(await saidOf(drop, 'SELECT 1')).toMatch(
    /^the database was not restored completely: (\w+ has no primary key, ){5}and \d+ other tables lack as much\. Restore/,
  );
});
