import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { migrate, migrationNames, type MigrationSources } from '../../src/db/migrations/index.js';
import { MigrationError } from '../../src/db/migrations/migration-error.js';
import { packagePath } from '../../src/package-path.js';
import { createEmptyDatabase, databaseUrl } from '../support/database.js';

let client: pg.Client;
beforeAll(async () => {
  client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
});
afterAll(() => client.end());

/** What a migration refuses for; null if it does not. */
async function refusalOf(url: string, sources: MigrationSources = {}): Promise<string | null> {
  try {
    await migrate(url, sources);
    return null;
  } catch (error) {
    if (error instanceof MigrationError) return error.message;
    throw error;
  }
}

/** Calls with a folder of this build's migrations and one to come. */
async function withOneMore<Result>(use: (folder: string) => Promise<Result>): Promise<Result> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-migrations-'));
  try {
    cpSync(packagePath('prisma/migrations'), folder, { recursive: true });
    mkdirSync(join(folder, '99990101000000_next'));
    writeFileSync(join(folder, '99990101000000_next/migration.sql'), 'SELECT 1;');
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** What a start says of the database after a change, which is taken back. */
async function saidOf(change: string, undo: string): Promise<string | null> {
  await client.query(change);
  try {
    return await refusalOf(databaseUrl);
  } finally {
    await client.query(undo);
  }
}

test.each(['CREATE TABLE own_notes (text text)', 'CREATE TABLE own_bills AS SELECT * FROM bills'])(
  'a whole database is taken, whatever tables of others are in it: %s',
  async (create) => {
    const [, name] = /TABLE (\w+)/.exec(create) ?? [];
    expect(await saidOf(create, `DROP TABLE ${name}`)).toBeNull();
  },
);

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

test('a database that a restore left without keys is refused, in one message, also with a migration to come', async () => {
  const url = await createEmptyDatabase();
  expect(await refusalOf(url)).toBeNull();
  const own = new pg.Client({ connectionString: url });
  await own.connect();
  try {
    const { rows } = await own.query(
      `SELECT format('ALTER TABLE %I DROP CONSTRAINT %I CASCADE', r.relname, c.conname) AS drop
       FROM pg_constraint c JOIN pg_class r ON r.oid = c.conrelid
       WHERE c.contype = 'p' AND r.relnamespace = 'public'::regnamespace AND NOT r.relispartition
         AND r.relname <> '_prisma_migrations'`,
    );
    await own.query(rows.map(({ drop }) => drop).join('; '));
    const refusal =
      /^the database was not restored completely: (\w+ has no primary key, ){5}and \d+ other tables lack as much\. Restore/;
    expect(await refusalOf(url)).toMatch(refusal);
    expect(await withOneMore((migrationsDir) => refusalOf(url, { migrationsDir }))).toMatch(refusal);
  } finally {
    await own.end();
  }
});

test('the migrations of an old backup, before row-level security, are taken, and then all', async () => {
  const url = await createEmptyDatabase();
  const names = migrationNames().slice(0, 10);
  expect(await migrate(url, { names })).toEqual(names);
  expect(await migrate(url, { names })).toEqual([]);
  expect(await refusalOf(url)).toBeNull();
});
