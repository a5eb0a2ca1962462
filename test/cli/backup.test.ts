import { randomBytes } from 'node:crypto';
import { createWriteStream, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { promiseHooks } from 'node:v8';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { listTables, quoteName } from '../../src/backup/tables.js';
import { writeBackup } from '../../src/backup/write-backup.js';
import type { App } from '../../src/app.js';
import { foreignTables } from '../../src/db/own-relations.js';
import { migrate, migrationNames } from '../../src/db/migrations/index.js';
import { prepareRuntime } from '../../src/db/runtime/index.js';
import type { Worker } from '../../src/jobs/worker.js';
import { migrateJobs } from '../../src/jobs/migrate-jobs.js';
import type { Sandbox } from '../../src/sandbox/index.js';
import { createEmptyDatabase, databaseUrl } from '../support/database.js';
import { type Ended, startCommand } from '../support/process.js';
import { startTestSandbox } from '../support/sandbox.js';
import { callerOf, startApp, TEST_SECRET_KEY, testLogin } from '../support/service.js';
import { until } from '../support/until.js';
import { createWriting, startWorker, type Writing } from '../support/writing.js';
import { Folders, isDatabaseRunning, onDatabase, ROOT, start } from './commands.js';

const folders = new Folders();
let app: App;
let sandbox: Sandbox;
let writing: Writing;
/** A backup of all there is below, made while the service runs. */
let file: string;
let made: Ended;
/** Of the company, as the service shows them. */
let accounts: unknown;
const accountsPath = () => `/v3/accounting/accounts?svc_company_id[eq]=${writing.companyId}`;

beforeAll(async () => {
  await migrateJobs(databaseUrl);
  sandbox = await startTestSandbox();
  app = await startApp({ SANDBOX_URL: sandbox.url });
  writing = await createWriting(app, sandbox);
  // One that no worker has taken yet.
  await writing.write('/accounting/journal_entries', [writing.journal('10.50')], { run_async: true });
  await writing.caller.graphql(
    'mutation { updateReturnOrigins(input: { origins: ["https://app.example.com"] }) { returnOrigins } }',
  );
  file = join(folders.make(), 'backup.gz');
  accounts = (await writing.caller.get(accountsPath())).body.data;
  made = await command('backup', ['--out', file, '--with-secret-key']);
});
afterAll(async () => {
  await app.close();
  await sandbox.stop();
  folders.remove();
});

function command(name: string, args: readonly string[], url = databaseUrl, more = {}): Promise<Ended> {
  const folder = folders.make();
  const settings = { DATABASE_URL: url, DATA_DIR: folder, SECRET_KEYS: TEST_SECRET_KEY, ...more };
  return start(`dist/cli/${name}.js`, args, settings, folder).ended;
}

/** What every table holds, as one text each, and where the numbers stand. */
const contents = (url: string): Promise<Record<string, string>> =>
  onDatabase(url, async (client) => {
    const found: Record<string, string> = {};
    for (const { name } of await listTables(client)) {
      const { rows } = await client.query<{ digest: string }>(
        `SELECT count(*) || ' ' || md5(coalesce(string_agg(t::text, E'\\n' ORDER BY t::text), '')) AS digest FROM ${quoteName(name)} t`,
      );
      found[name] = rows[0]?.digest ?? '';
    }
    const { rows } = await client.query<{ name: string; value: string }>(
      `SELECT schemaname || sequencename AS name, last_value::text AS value FROM pg_sequences WHERE schemaname NOT IN ('sandbox', 'pg_catalog')`,
    );
    return { ...found, ...Object.fromEntries(rows.map(({ name, value }) => [name, value])) };
  });

const organisationsIn = (url: string): Promise<number | null> =>
  onDatabase(url, async (client) => {
    const { rows } = await client.query(`SELECT to_regclass('organisations') IS NOT NULL AS made`);
    return rows[0].made ? (await client.query('SELECT FROM organisations')).rowCount : 0;
  });

test('every table that the migrations make is one of the service', async () => {
  expect(await onDatabase(databaseUrl, foreignTables)).toEqual([]);
});

test('a backup of a running service, restored elsewhere, holds every row', async () => {
  expect(made).toMatchObject({
    code: 0,
    stdout: '',
    stderr: expect.stringMatching(/^Backed up \d+ rows of/m),
  });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const url = await createEmptyDatabase();
  const restored = await command('restore', [file], url);
  expect(restored).toMatchObject({ code: 0, stderr: expect.stringMatching(/^Restored \d+ rows of/m) });
  const [before, after] = [await contents(databaseUrl), await contents(url)];
  expect(after).toEqual(before);
  expect(Object.values(before).filter((text) => !text.startsWith('0 ')).length).toBeGreaterThan(30);
});

test('the restored service answers, opens its secrets and goes on with what was under way', async () => {
  const url = await createEmptyDatabase();
  await command('restore', [file], url);
  // As a start does: the login and its rights are in no backup.
  await prepareRuntime(url, { runtimeUrl: testLogin(url).url, passwords: [''] });
  const again = await startApp({ DATABASE_URL: url, SANDBOX_URL: sandbox.url });
  let worker: Worker | undefined;
  try {
    const caller = callerOf(again, writing.caller.key);
    expect((await caller.get(accountsPath())).body.data).toEqual(accounts);
    const passed = await caller.post('/v3/core/passthrough', {
      company_id: writing.companyId,
      data: { method: 'GET', path: '/Organisation' },
    });
    expect(passed).toMatchObject({
      status: 200,
      body: { data: { Organisation: { Id: writing.tenant.account } } },
    });
    worker = await startWorker(sandbox, { DATABASE_URL: url });
    const [upload] = (await caller.graphql('{ writes(first: 1) { nodes { writeId } } }')).body.data.writes
      .nodes;
    const ended = await until('the end of the write that was under way', async () => {
      const { data } = (await caller.get(`/v3/core/uploads/${upload.writeId}`)).body;
      return data.status === 'PENDING' ? null : data;
    });
    expect(ended).toMatchObject({ status: 'SUCCESS' });
  } finally {
    await worker?.stop();
    await again.close();
  }
});

test('backups and restores take their time, whatever timeouts their login and database have', async () => {
  const url = await createEmptyDatabase();
  const timeouts = [
    'lock_timeout',
    'statement_timeout',
    'idle_in_transaction_session_timeout',
    'transaction_timeout',
  ];
  await onDatabase(url, async (client) => {
    await client.query(
      `CREATE SCHEMA watch;
       CREATE TABLE watch.seen (name text, setting text, value text);
       CREATE FUNCTION watch.see() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN
         INSERT INTO watch.seen SELECT current_setting('application_name'), s.name, s.setting
         FROM pg_settings s WHERE s.name IN ('${timeouts.join("', '")}');
       END $$;
       CREATE EVENT TRIGGER watch_see ON ddl_command_start EXECUTE FUNCTION watch.see();`,
    );
    // From PostgreSQL 17 on, all four.
    const { rows } = await client.query('SELECT name FROM pg_settings WHERE name = ANY($1)', [timeouts]);
    for (const { name } of rows) {
      await client.query(`ALTER DATABASE "${new URL(url).pathname.slice(1)}" SET ${name} = 100000`);
    }
  });
  expect(await command('restore', [file], url)).toMatchObject({ code: 0 });
  const { rows } = await onDatabase(url, (client) =>
    client.query(`SELECT DISTINCT value FROM watch.seen WHERE name = 'restore'`),
  );
  expect(rows).toEqual([{ value: '0' }]);
});

test.each([
  ['of pg_dump', Buffer.from('PGDMP\x01\x0e\x00')],
  ['of text', Buffer.from('-- PostgreSQL database dump\n')],
  ['of other compressed text', gzipSync('-- PostgreSQL database dump\n')],
])('a file %s is no backup', async (_what, content) => {
  const other = join(folders.make(), 'other');
  writeFileSync(other, content);
  expect(await command('restore', [other], await createEmptyDatabase())).toEqual({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^this file is not a backup of the service, .*pg_restore, or by psql/),
  });
});

test('tables of the operator, whoever owns them, are in no backup, and are never dropped by a restore', async () => {
  const url = await createEmptyDatabase();
  const name = new URL(url).pathname.slice(1);
  const owner = `${name}_owner`;
  const owned = Object.assign(new URL(url), { username: owner, password: 'x' }).href;
  try {
    await onDatabase(url, (client) =>
      client.query(
        `CREATE ROLE "${owner}" LOGIN PASSWORD 'x'; ALTER DATABASE "${name}" OWNER TO "${owner}";
         ALTER SCHEMA public OWNER TO "${owner}"`,
      ),
    );
    await migrate(owned);
    await migrateJobs(owned);
    await onDatabase(url, (client) =>
      client.query(
        `CREATE TABLE op_tab (id serial); INSERT INTO op_tab DEFAULT VALUES;
         CREATE TABLE op_part (id int) PARTITION BY LIST (id);
         CREATE TABLE op_part_1 PARTITION OF op_part DEFAULT; INSERT INTO op_part VALUES (1);
         CREATE VIEW op_view AS SELECT FROM accounts`,
      ),
    );
    const out = join(folders.make(), 'ours.gz');
    expect(await command('backup', ['--out', out], owned)).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('not in the backup: 3 tables and views of public'),
    });
    expect(gunzipSync(readFileSync(out)).toString()).not.toContain('op_');
    expect(await command('restore', [out], owned)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("not the service's: op_part, op_tab, op_view. "),
    });
    const { rows } = await onDatabase(url, (client) =>
      client.query('SELECT (SELECT count(*) FROM op_tab) + (SELECT count(*) FROM op_part) AS count'),
    );
    expect(rows).toEqual([{ count: '2' }]);
    expect(await command('restore', [out], await createEmptyDatabase())).toMatchObject({ code: 0 });
  } finally {
    await onDatabase(url, async (client) => {
      await client.query(`REASSIGN OWNED BY "${owner}" TO CURRENT_USER; DROP OWNED BY "${owner}"`);
      await client.query(`DROP ROLE "${owner}"`);
    });
  }
});

test('a restore takes nothing of the operator that is bound to the schema of the tables', async () => {
  const url = await createEmptyDatabase();
  await migrate(url);
  await onDatabase(url, (client) =>
    client.query(
      `CREATE EXTENSION hstore;
       CREATE SCHEMA shop; CREATE TABLE shop.goods (id int, more hstore) PARTITION BY LIST (id);
       CREATE TABLE public.op_goods PARTITION OF shop.goods DEFAULT;
       CREATE TYPE public.op_size AS ENUM ('S', 'L'); CREATE TABLE shop.sizes (id int, sizes op_size[]);
       CREATE TYPE public.op_price AS (net int); CREATE DOMAIN shop.price AS op_price;
       CREATE TABLE shop.prices (id int, price shop.price);
       CREATE TYPE public.op_day AS ENUM ('MO', 'TU'); CREATE TYPE shop.days AS RANGE (subtype = op_day);
       CREATE TABLE shop.hours (id int, days shop.days);
       CREATE VIEW shop.books AS SELECT count(*) FROM accounts`,
    ),
  );
  expect(await command('restore', [file], url)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(
      'extension hstore, public.op_goods, shop.books, type public.op_day, type public.op_price, type public.op_size. ',
    ),
  });
  await onDatabase(url, (client) =>
    client.query(
      `ALTER EXTENSION hstore SET SCHEMA shop; ALTER TABLE op_goods SET SCHEMA shop; DROP VIEW shop.books;
       ALTER TYPE op_size SET SCHEMA shop; ALTER TYPE op_day SET SCHEMA shop; ALTER TYPE op_price SET SCHEMA shop`,
    ),
  );
  expect(await command('restore', [file], url)).toMatchObject({ code: 0 });
  const kept = 'SELECT more, sizes, price, days FROM shop.goods, shop.sizes, shop.prices, shop.hours';
  expect((await onDatabase(url, (client) => client.query(kept))).rowCount).toBe(0);
});

test('a backup of an earlier build that holds tables of the operator is restored without them', async () => {
  const [old, url] = [join(folders.make(), 'old.gz'), await createEmptyDatabase()];
  const text = gunzipSync(readFileSync(file))
    .toString()
    .replace('"tables":[', '"tables":[{"name":"public.op_tab","columns":["id"]},')
    .replace('"sequences":[', '"sequences":[{"name":"public.op_tab_id_seq","value":"1","isCalled":true},')
    .replace(/^COPY /m, 'COPY "public"."op_tab" ("id") FROM stdin;\n1\n\\.\n$&');
  writeFileSync(old, gzipSync(text));
  expect(await command('restore', [old], url)).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('public.op_tab: left out'),
  });
  expect(await organisationsIn(url)).toBeGreaterThan(0);
});

test('a database that holds an organisation is not restored into, and a file that is there not written over', async () => {
  const before = await contents(databaseUrl);
  await app.close();
  expect(await command('restore', [file])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/the database holds \d+ organisations|a service is using this database/),
  });
  expect(await contents(databaseUrl)).toEqual(before);
  expect(await command('backup', ['--out', file])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`${file} already exists`),
  });
  app = await startApp({ SANDBOX_URL: sandbox.url });
});

test.each([
  ['a full disk', '--out - >/dev/full', 'ENOSPC'],
  ['a reader that has left', '--out - | true; exit ${PIPESTATUS[0]}', 'EPIPE'],
  ['a folder that is not there', '--out nowhere/backup.gz', 'ENOENT'],
])('a backup that goes to %s fails, and leaves no database running', async (_what, args, reason) => {
  const folder = folders.make();
  const { PATH = '', HOME = '' } = process.env;
  const env = { PATH, HOME, DATA_DIR: join(folder, 'data') };
  await start('dist/cli/db.js', ['migrate'], env, folder).ended;
  const script = `'${process.execPath}' '${join(ROOT, 'dist/cli/backup.js')}' ${args}`;
  const { code, stderr } = await startCommand('bash', ['-c', script], { cwd: folder, env }).ended;
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringMatching(new RegExp(`^the backup cannot be written: .*${reason}.*\n$`)),
  });
  expect(isDatabaseRunning(env.DATA_DIR)).toBe(false);
  expect(readdirSync(folder)).toEqual(['data']);
});

test.each([
  ['was cut off', (text: string) => text.slice(0, text.length / 2), /cannot be read|ends in the middle/],
  ['lost its last line', (text: string) => text.replace(/\n\{"rows".*\n$/, '\n'), /rows of .* are missing/],
  [
    'lost a row',
    (text: string) => text.replace(/^(COPY "public"."accounts" .*\n).*\n/m, '$1'),
    /rows of public.accounts are missing/,
  ],
  ['is another file', () => 'hello\n', /this file is not a backup/],
  [
    'was made by a newer build',
    (text: string) => text.replace('"migrations":[', '"migrations":["29990101000000_later",'),
    /newer build: this one does not know 29990101000000_later/,
  ],
])('nothing is restored from a file that %s', async (what, damage, message) => {
  const damaged = join(folders.make(), 'damaged.gz');
  writeFileSync(damaged, gzipSync(damage(gunzipSync(readFileSync(file)).toString())));
  const url = await createEmptyDatabase();
  expect(await command('restore', [damaged], url)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(message),
  });
  expect(await organisationsIn(url)).toBe(0);
  if (what !== 'lost a row') return;
  // The same database takes the whole file.
  expect(await command('restore', [file], url)).toMatchObject({ code: 0 });
});

test.each([
  ['was not wholly copied', (bytes: Buffer) => bytes.subarray(0, -200), /unexpected end of file/],
  ['lost a byte of a number', (bytes: Buffer) => gzipSync(withoutDigits(gunzipSync(bytes))), /invalid input/],
])('a file that %s is refused in one line', async (_what, damage, reason) => {
  const damaged = join(folders.make(), 'damaged.gz');
  writeFileSync(damaged, damage(readFileSync(file)));
  const { code, stderr } = await command('restore', [damaged], await createEmptyDatabase());
  expect(code).toBe(1);
  expect(stderr).toMatch(new RegExp(`^the backup cannot be read: .*${reason.source}.*\\n$`, 'm'));
  expect(stderr).not.toContain('    at ');
});

/** Makes the number of the first account one that is none. */
const withoutDigits = (content: Buffer): Buffer =>
  Buffer.from(content.toString('latin1').replace(/(COPY "public"."accounts" .*\n)\d+/, '$1x'), 'latin1');

test('a database that was never migrated has nothing to back up', async () => {
  const args = ['--out', join(folders.make(), 'nothing.gz')];
  expect(await command('backup', args, await createEmptyDatabase())).toMatchObject({
    code: 1,
    stderr: 'the database has no tables of the service: there is nothing to back up\n',
  });
});

test('every row is counted, also where the end of a command comes later than its rows', async () => {
  const late = await startLateEnds(new URL(databaseUrl));
  const slow = join(folders.make(), 'slow.gz');
  const told: string[] = [];
  try {
    const options = { url: late.url, secretKeys: null, tell: (line: string) => void told.push(line) };
    const { rows } = await writeBackup(createWriteStream(slow), options);
    expect(late.parted()).toBeGreaterThan(50);
    expect(Object.fromEntries(Object.entries(rows).map(([name, count]) => [name, String(count)]))).toEqual(
      Object.fromEntries(
        Object.entries(await contents(databaseUrl))
          .filter(([name]) => name in rows)
          .map(([name, text]) => [name, text.split(' ')[0]]),
      ),
    );
    expect(told).toContain(`public.organisations: ${rows['public.organisations']} rows`);
  } finally {
    await late.close();
  }
});

test('no promise keeps a trace of each time that a backup waits for its file', async () => {
  const reactions = new WeakMap<Promise<unknown>, number>();
  let most = 0;
  let waits = 0;
  const slow = new Writable({
    highWaterMark: 1,
    write: (_chunk, _encoding, done) => {
      waits += 1;
      setImmediate(done);
    },
  });
  await onDatabase(databaseUrl, async (client) => {
    await client.query(
      `CREATE TABLE graphile_worker.bulk AS SELECT (SELECT string_agg(md5(n || ' ' || m), '') FROM generate_series(1, 1000) m)
       FROM generate_series(1, 500) n`,
    );
    const stop = promiseHooks.onInit((_promise, of: Promise<unknown> | undefined) => {
      // Others of this process may wait for one promise many times.
      if (of === undefined || !new Error('where').stack?.includes('write-backup')) return;
      const count = (reactions.get(of) ?? 0) + 1;
      reactions.set(of, count);
      most = Math.max(most, count);
    });
    try {
      await writeBackup(slow, { url: databaseUrl, secretKeys: null, tell: () => undefined });
    } finally {
      stop();
      await client.query('DROP TABLE graphile_worker.bulk');
    }
  });
  expect(waits).toBeGreaterThan(100);
  expect(most).toBeGreaterThan(0);
  expect(most).toBeLessThan(20);
});

test('a backup of an earlier build that wrote 0 for rows it had not counted yet is restored whole', async () => {
  const [old, url] = [join(folders.make(), 'old.gz'), await createEmptyDatabase()];
  const text = gunzipSync(readFileSync(file)).toString();
  writeFileSync(old, gzipSync(text.replace(/("public\.accounts":)\d+(?=[^\n]*\n$)/, '$10')));
  expect(await command('restore', [old], url)).toMatchObject({ code: 0 });
  expect((await contents(url))['public.accounts']).toEqual((await contents(databaseUrl))['public.accounts']);
});

test('a backup of an earlier build is restored, and then brought to this one', async () => {
  const [older, url] = [await createEmptyDatabase(), await createEmptyDatabase()];
  const names = migrationNames();
  await migrate(older, { names: names.slice(0, -1) });
  await onDatabase(older, (client) => client.query(`INSERT INTO organisations (name) VALUES ('Old Mill')`));
  const old = join(folders.make(), 'old.gz');
  expect(await command('backup', ['--out', old], older)).toMatchObject({ code: 0 });
  expect(await command('restore', [old], url)).toMatchObject({
    code: 0,
    stderr: expect.stringContaining(`Then applied what is newer: ${names.at(-1)}`),
  });
  const { rows } = await onDatabase(url, (client) => client.query('SELECT name FROM organisations'));
  expect(rows).toEqual([{ name: 'Old Mill' }]);
});

test('the key of secrets comes along where it is asked for, and is kept in an empty data folder', async () => {
  const dataDir = folders.make();
  const settings = { DATA_DIR: dataDir, SECRET_KEYS: '' };
  await command('restore', [file], await createEmptyDatabase(), settings);
  expect(readFileSync(join(dataDir, 'secret-key'), 'utf8').trim()).toBe(TEST_SECRET_KEY);
  const without = join(folders.make(), 'without.gz');
  await command('backup', ['--out', without]);
  expect(gunzipSync(readFileSync(without)).toString()).not.toContain(TEST_SECRET_KEY);
  const { stderr } = await command('restore', [without], await createEmptyDatabase(), settings);
  expect(stderr).toContain('Its secrets open only with the SECRET_KEYS');
});

test('a key that is in the data folder stays, and the one that comes along is laid beside it', async () => {
  const dataDir = folders.make();
  writeFileSync(join(dataDir, 'secret-key'), 'of another database\n');
  const settings = { DATA_DIR: dataDir, SECRET_KEYS: '' };
  const { stderr } = await command('restore', [file], await createEmptyDatabase(), settings);
  const beside = join(dataDir, 'restored-secret-keys');
  expect(stderr).toContain(`Its secrets open with the SECRET_KEYS that are in ${beside} now`);
  expect(readFileSync(beside, 'utf8').trim()).toBe(TEST_SECRET_KEY);
  expect(readFileSync(join(dataDir, 'secret-key'), 'utf8')).toBe('of another database\n');
});

test.each([
  ['would be kept there', ''],
  ['would be laid there beside others', randomBytes(32).toString('base64')],
])('nothing is restored where DATA_DIR cannot be written and the key %s', async (_what, own) => {
  const url = await createEmptyDatabase();
  const notFolder = join(folders.make(), 'file');
  writeFileSync(notFolder, '');
  const { code, stderr } = await command('restore', [file], url, {
    DATA_DIR: join(notFolder, 'data'),
    SECRET_KEYS: own,
  });
  expect({ code, stderr }).toEqual({ code: 1, stderr: expect.stringContaining(join(notFolder, 'data')) });
  expect(await organisationsIn(url)).toBe(0);
  // The same database takes the backup once the folder can be written.
  expect(await command('restore', [file], url)).toMatchObject({ code: 0 });
});

test('a restore that is interrupted once its rows are there has kept their key', async () => {
  const url = await createEmptyDatabase();
  const dataDir = folders.make();
  await onDatabase(url, async (client) => {
    // Of another application: it is in no backup, and the last step analyses it.
    await client.query('CREATE SCHEMA other; CREATE TABLE other.held ()');
    await client.query('BEGIN; LOCK TABLE other.held IN SHARE UPDATE EXCLUSIVE MODE');
    const settings = { DATABASE_URL: url, DATA_DIR: dataDir };
    const restore = start('dist/cli/restore.js', [file], settings, folders.make());
    await until('the last step', () =>
      onDatabase(url, async (other) => {
        const { rowCount } = await other.query(
          'SELECT FROM pg_stat_activity WHERE datname = current_database() AND cardinality(pg_blocking_pids(pid)) > 0',
        );
        return rowCount === 1;
      }),
    );
    expect((await restore.stop('SIGINT')).code).toBe(130);
  });
  expect(await organisationsIn(url)).toBeGreaterThan(0);
  expect(readFileSync(join(dataDir, 'secret-key'), 'utf8').trim()).toBe(TEST_SECRET_KEY);
});

/** A way to the database on which the end of each COPY is an answer of its own, a moment after the rows. */
async function startLateEnds(to: URL): Promise<{ url: string; parted(): number; close(): Promise<void> }> {
  let parted = 0;
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect({ host: to.hostname, port: Number(to.port || 5432), noDelay: true });
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('error', () => [client, upstream].forEach((one) => one.destroy()));
      socket.on('close', () => [client, upstream].forEach((one) => one.destroy()));
    }
    client.setNoDelay(true);
    client.pipe(upstream);
    upstream.on('data', (chunk: Buffer) => {
      // A message begins with its kind and its length, five bytes before its text.
      const end = chunk.lastIndexOf('COPY ') - 5;
      if (end <= 0) return void client.write(chunk);
      parted += 1;
      client.write(chunk.subarray(0, end));
      upstream.pause();
      setTimeout(() => {
        client.write(chunk.subarray(end));
        upstream.resume();
      }, 5);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(to);
  [url.hostname, url.port] = ['127.0.0.1', String((server.address() as AddressInfo).port)];
  return {
    url: url.href,
    parted: () => parted,
    close: async () => {
      sockets.forEach((socket) => socket.destroy());
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
