import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import pg from 'pg';

import { type EmbeddedDatabase, startEmbedded } from '../../src/db/embedded/index.js';
import { diffSchema, migrate, migrationStatus, resetDatabase } from '../../src/db/migrations/index.js';
import { MigrationError } from '../../src/db/migrations/migration-error.js';
import { until } from '../support/until.js';
import { type Child, runDatabaseScript } from './database-script.js';

const SCHEMA = `
  datasource db {
    provider = "postgresql"
  }

  model Account {
    id        String   @id @default(dbgenerated("gen_random_uuid()")) @db.Uuid
    name      String
    amount    Decimal  @default(0) @db.Decimal(38, 10)
    data      Json     @default("{}")
    createdAt DateTime @default(now()) @map("created_at") @db.Timestamptz(3)

    @@index([createdAt(sort: Desc), id])
    @@map("accounts")
  }

  model Invoice {
    svcId   BigInt @id @default(dbgenerated("nextval('svc_id_seq'::regclass)")) @map("svc_id")
    orderNo BigInt @default(dbgenerated("nextval('order_seq'::regclass)")) @map("order_no")
    number  String

    @@map("invoices")
  }

  model RecordChange {
    position  BigInt   @default(autoincrement())
    changedAt DateTime @default(now()) @map("changed_at") @db.Timestamptz(3)
    operation String

    @@id([changedAt, position])
    @@index([operation])
    @@map("record_changes")
  }
`;

const TABLES = `
  CREATE TABLE accounts (
    id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    name text NOT NULL,
    amount numeric(38, 10) NOT NULL DEFAULT 0,
    data jsonb NOT NULL DEFAULT '{}',
    created_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP
  );
  CREATE INDEX accounts_created_at_id_idx ON accounts (created_at DESC, id);

  CREATE SEQUENCE svc_id_seq;
  CREATE SEQUENCE order_seq;
  CREATE TABLE invoices (
    svc_id bigint PRIMARY KEY DEFAULT nextval('svc_id_seq'),
    order_no bigint NOT NULL DEFAULT nextval('order_seq'),
    number text NOT NULL
  );

  CREATE TABLE record_changes (
    position bigserial NOT NULL,
    changed_at timestamptz(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    operation text NOT NULL,
    PRIMARY KEY (changed_at, position)
  ) PARTITION BY RANGE (changed_at);
  CREATE INDEX record_changes_operation_idx ON record_changes (operation);
  CREATE TABLE record_changes_default PARTITION OF record_changes DEFAULT;
  CREATE TABLE record_changes_2025_01 PARTITION OF record_changes
    FOR VALUES FROM ('2025-01-01') TO ('2025-02-01');
`;

/** What Prisma's language cannot say, with semicolons in each place where a script must not be cut. */
const BY_HAND = `
  CREATE FUNCTION trim_name() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    NEW.name := trim(NEW.name); -- a comment; with a semicolon
    IF NEW.name = ';' THEN RAISE EXCEPTION 'no name; none at all'; END IF;
    RETURN NEW;
  END;
  $$;
  CREATE TRIGGER accounts_trim BEFORE INSERT ON accounts FOR EACH ROW EXECUTE FUNCTION trim_name();
  CREATE INDEX accounts_name_c ON accounts (name COLLATE "C") INCLUDE (amount);
  CREATE INDEX accounts_lower ON accounts (lower(name)) WHERE amount > 0;
  CREATE UNLOGGED TABLE rate_windows (key text PRIMARY KEY);
  CREATE VIEW account_names AS SELECT name FROM accounts;
  ALTER TABLE accounts ENABLE ROW LEVEL SECURITY;
  CREATE POLICY everybody ON accounts USING (true);
  -- The last word; without a semicolon`;

const [FIRST, SECOND, THIRD] = [
  '20250101000000_tables',
  '20250102000000_by_hand',
  '20250103000000_more',
] as const;

let server: EmbeddedDatabase;
let serverFolder: string;
let sources: { schemaDir: string; migrationsDir: string };
let url: string;
let client: pg.Client;
let count = 0;

beforeAll(async () => {
  serverFolder = mkdtempSync(join(tmpdir(), 'svc-data-'));
  server = await startEmbedded({ dataDir: serverFolder });
});

afterAll(async () => {
  await server.stop();
  rmSync(serverFolder, { recursive: true, force: true });
});

beforeEach(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-prisma-'));
  sources = { schemaDir: folder, migrationsDir: join(folder, 'migrations') };
  // In two files, as the project's own are in several.
  const [datasource, ...models] = SCHEMA.split(/(?=  model )/);
  writeFileSync(join(folder, 'schema.prisma'), datasource ?? '');
  mkdirSync(join(folder, 'models'));
  writeFileSync(join(folder, 'models/all.prisma'), models.join(''));
  write(FIRST, TABLES);
  write(SECOND, BY_HAND);

  const name = `migrations_${(count += 1)}`;
  const admin = new pg.Client({ connectionString: server.url });
  await admin.connect();
  await admin.query(`CREATE DATABASE ${name}`);
  await admin.end();
  url = Object.assign(new URL(server.url), { pathname: name }).href;
  client = new pg.Client({ connectionString: url });
  await client.connect();
});

afterEach(async () => {
  await client.end();
  rmSync(join(sources.migrationsDir, '..'), { recursive: true, force: true });
});

function fileOf(name: string): string {
  return join(sources.migrationsDir, name, 'migration.sql');
}

function write(name: string, sql: string): void {
  mkdirSync(join(sources.migrationsDir, name), { recursive: true });
  writeFileSync(join(sources.migrationsDir, 'migration_lock.toml'), 'provider = "postgresql"\n');
  writeFileSync(fileOf(name), sql);
}

async function exists(table: string): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>('SELECT to_regclass($1) IS NOT NULL AS found', [
    table,
  ]);
  return rows[0]?.found === true;
}

const refusal = () => migrate(url, sources).catch((error: unknown) => error);
const level = { pending: [], edited: [], failed: [], missing: [] };

/** Prints what it applied, or the error. */
const MIGRATE = `
  import { migrate } from './migrations/index.js';
  const [url, schemaDir, migrationsDir] = process.argv.slice(1);
  console.log(await migrate(url, { schemaDir, migrationsDir }).then(JSON.stringify, String));
  const timers = process.getActiveResourcesInfo().filter((name) => name === 'Timeout');
  // One that is being closed holds nobody up; stdout may be a socket too.
  const sockets = process._getActiveHandles().filter((one) => one.remotePort && !one.writableEnded);
  console.log('held: ' + [...timers, ...sockets.map(() => 'Socket')]);
`;
const migrateInChild = (): Child => runDatabaseScript(MIGRATE, url, sources.schemaDir, sources.migrationsDir);

describe('Migrations', () => {
  test('are applied in order, once, and reported by name', async () => {
    expect(await migrationStatus(url, sources)).toEqual({ ...level, pending: [FIRST, SECOND] });
    expect(await migrate(url, sources)).toEqual([FIRST, SECOND]);
    expect(await migrate(url, sources)).toEqual([]);
    expect(await migrationStatus(url, sources)).toEqual(level);
  });

  test('may hold functions with semicolons in their bodies', async () => {
    await migrate(url, sources);
    const { rows } = await client.query(`INSERT INTO accounts (name) VALUES ('  cash ') RETURNING name`);
    expect(rows).toEqual([{ name: 'cash' }]);
    await expect(client.query(`INSERT INTO accounts (name) VALUES (' ; ')`)).rejects.toThrow(
      'no name; none at all',
    );
  });

  test('are applied by one of three processes that migrate at once, and the others wait', async () => {
    write(THIRD, 'SELECT pg_sleep(1); CREATE TABLE more (id int PRIMARY KEY);');
    const children = [migrateInChild(), migrateInChild(), migrateInChild()];
    const lines = await Promise.all(children.map((child) => child.firstLine()));
    await Promise.all(children.map((child) => child.ended));
    expect(lines.sort()).toEqual([JSON.stringify([FIRST, SECOND, THIRD]), '[]', '[]']);
  });

  test('leave no process waiting after the work is done', async () => {
    // Idle connections and their timers would keep a process for seconds.
    const { code, stdout } = await migrateInChild().ended;
    expect({ code, stdout }).toEqual({ code: 0, stdout: `["${FIRST}","${SECOND}"]\nheld: \n` });
  });

  test('are not applied to a database that has other tables', async () => {
    await client.query('CREATE TABLE foreign_table (id int)');
    const error = await refusal();
    expect(error).toBeInstanceOf(MigrationError);
    expect(error).toMatchObject({
      message: expect.stringContaining('set DATABASE_URL to an empty database'),
    });
    expect(await exists('accounts')).toBe(false);
  });

  test('that the folder does not have are reported as missing, and stop an older build', async () => {
    await migrate(url, sources);
    await client.query('CREATE SCHEMA data; CREATE VIEW data.accounts AS SELECT * FROM accounts');
    rmSync(join(sources.migrationsDir, SECOND), { recursive: true });
    expect(await migrationStatus(url, sources)).toEqual({ ...level, missing: [SECOND] });
    expect(await refusal()).toMatchObject({
      name: 'MigrationError',
      message: expect.stringContaining(`this build is older than the database: it does not know ${SECOND}`),
    });
    // What the newer build shows to SQL users stays.
    expect(await exists('data.accounts')).toBe(true);
  });

  test('may be refused to a database that earlier ones were applied to', async () => {
    const refuse = () => Promise.reject(new Error('in use'));
    const second = readFileSync(fileOf(SECOND), 'utf8');
    rmSync(join(sources.migrationsDir, SECOND), { recursive: true });
    expect(await migrate(url, sources, refuse)).toEqual([FIRST]);
    expect(await migrate(url, sources, refuse)).toEqual([]);
    write(SECOND, second);
    await client.query('CREATE SCHEMA data; CREATE VIEW data.accounts AS SELECT * FROM accounts');
    await expect(migrate(url, sources, refuse)).rejects.toThrow('in use');
    expect(await migrationStatus(url, sources)).toEqual({ ...level, pending: [SECOND] });
    expect(await exists('data.accounts')).toBe(true);
  });
});

describe('An edited migration', () => {
  test('stops all migrating, and is named with the way out', async () => {
    await migrate(url, sources);
    appendFileSync(fileOf(FIRST), '\n-- edited');
    write(THIRD, 'CREATE TABLE more (id int PRIMARY KEY);');
    expect(await migrationStatus(url, sources)).toEqual({ ...level, edited: [FIRST], pending: [THIRD] });
    const error = await refusal();
    expect(error).toBeInstanceOf(MigrationError);
    expect(error).toMatchObject({
      message: expect.stringMatching(/^20250101000000_tables in .* Restore the file/),
    });
    expect(await exists('more')).toBe(false);
  });
});

describe('A failing migration', () => {
  const broken = 'CREATE TABLE more (id int PRIMARY KEY); INSERT INTO nowhere VALUES (1);';

  test('leaves nothing behind and is named with the reason and the way out', async () => {
    write(THIRD, broken);
    const error = await refusal();
    expect(error).toBeInstanceOf(MigrationError);
    expect(error).toMatchObject({
      message: expect.stringMatching(
        /^20250103000000_more failed: .*nowhere.*\. Nothing of it is in the database/,
      ),
    });
    expect(await exists('more')).toBe(false);
    expect(await migrationStatus(url, sources)).toEqual({ ...level, failed: [THIRD] });
  });

  test('stops later starts until it is marked as rolled back, by the statement in the message', async () => {
    write(THIRD, broken);
    await refusal();
    write(THIRD, 'CREATE TABLE more (id int PRIMARY KEY);');
    const refused = await refusal();
    expect(refused).toMatchObject({
      name: 'MigrationError',
      message: expect.stringMatching(/^20250103000000_more failed earlier\. .*UPDATE "_prisma_migrations"/),
    });
    await client.query(/UPDATE .*$/.exec(String(refused))?.[0] ?? '');
    expect(await migrate(url, sources)).toEqual([THIRD]);
  });

  test.each([
    ['a full disk', '53100'],
    ['a failing disk', '58030'],
    ['a disk that became read-only', '42501', 'could not open file "base/5/1259": Read-only file system'],
    ['a deadlock with a running service', '40P01'],
    ['an expired lock_timeout', '55P03'],
  ])('for %s is applied by the next start', async (_, code, message = 'in the way') => {
    await client.query(
      'CREATE SCHEMA passing; CREATE TABLE passing.obstacle (); INSERT INTO passing.obstacle DEFAULT VALUES',
    );
    write(
      THIRD,
      `CREATE TABLE more (id int PRIMARY KEY);
       DO $$ BEGIN
         IF EXISTS (SELECT FROM passing.obstacle) THEN RAISE SQLSTATE '${code}' USING MESSAGE = '${message}'; END IF;
       END $$;`,
    );
    expect(await refusal()).toMatchObject({ code: 'service-unavailable', cause: { message } });
    expect(await exists('more')).toBe(false);
    await client.query('DELETE FROM passing.obstacle');
    expect(await migrate(url, sources)).toEqual([THIRD]);
    expect(await exists('more')).toBe(true);
  });
});

describe('An interrupted migration', () => {
  test('of a killed process that the database finished counts as applied', async () => {
    // A lock of the test's: the script is in the middle for as long as that is held.
    await client.query('SELECT pg_advisory_lock(4711)');
    write(THIRD, 'SELECT pg_advisory_xact_lock(4711); CREATE TABLE more (id int PRIMARY KEY);');
    const child = migrateInChild();
    await until('the script to run', () => isRunning('pg_advisory_xact_lock'));
    await child.stop('SIGKILL');
    const next = migrate(url, sources);
    // The lock of Prisma's engine (src/db/migrations/lock.ts), which the session of the killed one still has.
    await until('another start to wait', () => isRunning('try_advisory_lock(72707369)'));
    await client.query('SELECT pg_advisory_unlock(4711)');
    expect(await next).toEqual([]);
    expect(await exists('more')).toBe(true);
    expect(await migrationStatus(url, sources)).toEqual(level);
  });

  test('that the database did not finish is applied again', async () => {
    await migrate(url, sources);
    write(THIRD, 'CREATE TABLE more (id int PRIMARY KEY);');
    // What is in the history while a script runs.
    await client.query(
      `INSERT INTO _prisma_migrations (id, checksum, migration_name, started_at) VALUES ('1', 'x', $1, now())`,
      [THIRD],
    );
    expect(await migrate(url, sources)).toEqual([THIRD]);
    expect(await exists('more')).toBe(true);
  });

  async function isRunning(text: string): Promise<boolean> {
    const { rowCount } = await client.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
       AND query LIKE $1`,
      [`%${text}%`],
    );
    return rowCount !== 0;
  }
});

describe('The difference between models and database', () => {
  test('is none when level, whatever hand-written SQL has added', async () => {
    await migrate(url, sources);
    await client.query('ALTER TABLE record_changes DETACH PARTITION record_changes_2025_01');
    expect(await diffSchema(url, sources)).toBeNull();
  });

  test('is the SQL that the database lacks, and running it makes both level', async () => {
    await migrate(url, sources);
    await client.query(`
      ALTER TABLE accounts DROP COLUMN data;
      DROP INDEX accounts_created_at_id_idx;
      CREATE INDEX accounts_created_at_id_idx ON accounts (id);
      DROP TABLE record_changes;
      ALTER TABLE invoices ALTER COLUMN number DROP NOT NULL, ALTER COLUMN svc_id SET DEFAULT nextval('order_seq');
    `);
    const sql = await diffSchema(url, sources);
    expect(sql).toMatch(/ADD COLUMN +"data" JSONB/);
    expect(sql).toContain('CREATE TABLE "record_changes"');
    expect(sql).not.toContain('rate_windows');
    await client.query(sql ?? '');
    expect(await diffSchema(url, sources)).toBeNull();
  });

  test('makes no database of its own', async () => {
    await migrate(url, sources);
    const databases = () => client.query('SELECT datname FROM pg_database ORDER BY datname');
    const before = (await databases()).rows;
    await diffSchema(url, sources);
    expect((await databases()).rows).toEqual(before);
  });
});

describe('Resetting', () => {
  test('empties the database, and the migrations apply again', async () => {
    await migrate(url, sources);
    await client.query('CREATE SCHEMA graphile_worker; CREATE TABLE graphile_worker.jobs (id int)');
    await resetDatabase(url);
    expect([await exists('accounts'), await exists('graphile_worker.jobs')]).toEqual([false, false]);
    expect(await migrate(url, sources)).toEqual([FIRST, SECOND]);
  });
});
