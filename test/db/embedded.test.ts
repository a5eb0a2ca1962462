import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import pg from 'pg';

import {
  attachEmbedded,
  DataFolderError,
  type EmbeddedDatabase,
  startEmbedded,
} from '../../src/db/embedded/index.js';
import { until } from '../support/until.js';
import { type Child, runDatabaseScript } from './database-script.js';

/** A service that owns the database until it is killed; its first line is the url or the error. */
const OWNER = `
  import { startEmbedded } from './embedded/index.js';
  try {
    console.log((await startEmbedded({ dataDir: process.argv[1] })).url);
    setInterval(() => {}, 1000);
  } catch (error) {
    console.log(error.name + ': ' + error.message);
  }
`;

/** A folder that was started and stopped once: copying it is faster than setting up another. */
let usedFolder: string;
let dataDir: string;
let started: EmbeddedDatabase[];
let owners: Child[];

beforeAll(async () => {
  usedFolder = mkdtempSync(join(tmpdir(), 'svc-used-'));
  await (await startEmbedded({ dataDir: usedFolder })).stop();
});

afterAll(() => {
  rmSync(usedFolder, { recursive: true, force: true });
});

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'svc-data-'));
  started = [];
  owners = [];
});

afterEach(async () => {
  for (const owner of owners) await kill(owner);
  for (const database of started) await database.stop();
  // Left by an owner, when the test failed before adopting it.
  if (await attachEmbedded({ dataDir }).catch(() => null)) await (await startEmbedded({ dataDir })).stop();
  rmSync(dataDir, { recursive: true, force: true });
});

function useAgain(): void {
  cpSync(usedFolder, dataDir, { recursive: true });
  // Node 22 does not keep the modes of folders, of which PostgreSQL is particular.
  chmodSync(join(dataDir, 'pg'), 0o700);
}

async function start(): Promise<EmbeddedDatabase> {
  const database = await startEmbedded({ dataDir });
  started.push(database);
  return database;
}

function startOwner(): Child {
  const owner = runDatabaseScript(OWNER, dataDir);
  owners.push(owner);
  return owner;
}

async function kill(owner: Child): Promise<void> {
  await owner.stop('SIGKILL');
}

async function query<T extends pg.QueryResultRow>(url: string, sql: string): Promise<T[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<T>(sql)).rows;
  } finally {
    await client.end();
  }
}

function postmasterPid(): number {
  return Number.parseInt(readFileSync(join(dataDir, 'pg', 'postmaster.pid'), 'utf8'), 10);
}

function modeOf(name: string): string {
  return (statSync(join(dataDir, name)).mode & 0o777).toString(8);
}

const refusal = () =>
  start().then(
    () => 'started',
    (error: unknown) => error,
  );

describe('The embedded database', () => {
  test('starts on an empty folder, stops, and starts again with what was written', async () => {
    const first = await start();
    expect(new URL(first.url)).toMatchObject({ username: 'svc', pathname: '/svc', hostname: '127.0.0.1' });
    await query(first.url, 'CREATE TABLE kept AS SELECT 1 AS value');
    await Promise.all([first.stop(), first.stop()]);
    await first.stop();
    expect(existsSync(join(dataDir, 'pg', 'postmaster.pid'))).toBe(false);

    const second = await start();
    expect(await query(second.url, 'TABLE kept')).toEqual([{ value: 1 }]);
  });

  test('keeps its address and password to its owner', async () => {
    useAgain();
    const { url } = await start();
    expect(readFileSync(join(dataDir, 'url'), 'utf8').trim()).toBe(url);
    expect([modeOf('url'), modeOf('password'), modeOf('postgres.log')]).toEqual(['600', '600', '600']);
    await expect(query(url.replace(/:[^:@]+@/, ':wrong@'), 'SELECT 1')).rejects.toThrow('password');
  });

  test('writes safely, in UTC, and sorts alike on every machine', async () => {
    useAgain();
    const { url } = await start();
    const [settings] = await query(
      url,
      `SELECT current_setting('fsync') AS fsync, current_setting('timezone') AS timezone,
              current_setting('jit') AS jit, current_setting('max_connections') AS connections,
              datlocprovider AS provider FROM pg_database WHERE datname = 'svc'`,
    );
    expect(settings).toEqual({ fsync: 'on', timezone: 'UTC', jit: 'off', connections: '200', provider: 'b' });
  });

  test('gives its address to commands beside the service, and none when it does not run', async () => {
    useAgain();
    expect(await attachEmbedded({ dataDir })).toBeNull();
    expect(await attachEmbedded({ dataDir: join(dataDir, 'missing') })).toBeNull();
    const database = await start();
    expect(await attachEmbedded({ dataDir })).toEqual({ url: database.url });
    await database.stop();
    expect(await attachEmbedded({ dataDir })).toBeNull();
  });

  test('starts after a first start that was broken off', async () => {
    mkdirSync(join(dataDir, 'pg.new.broken', 'base'), { recursive: true });
    writeFileSync(join(dataDir, 'start.lock.broken'), '');
    // No process has so high an id.
    writeFileSync(join(dataDir, 'start.lock'), '999999999 1');
    await start();
    expect(readdirSync(dataDir).sort()).toEqual(['password', 'pg', 'postgres.log', 'url']);
  });
});

describe('A data folder in use', () => {
  test('is refused to a second start, which says what to do', async () => {
    useAgain();
    await start();
    const error = await refusal();
    expect(error).toBeInstanceOf(DataFolderError);
    expect(error).toMatchObject({
      message: `another start of the service is using ${dataDir}; stop it or set DATA_DIR to another folder`,
    });
  });

  test('goes to one of several processes that start at the same moment on an empty folder', async () => {
    const children = [startOwner(), startOwner(), startOwner()];
    const lines = await Promise.all(children.map((child) => child.firstLine()));
    await Promise.all(children.map(kill));
    expect(lines.filter((line) => line.startsWith('postgresql://'))).toHaveLength(1);
    expect(lines.filter((line) => line.startsWith('DataFolderError: another start'))).toHaveLength(2);
    const { url } = await start();
    expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  test('stays guarded when the owner loses its session', async () => {
    useAgain();
    const { url } = await start();
    const guard = `FROM pg_locks JOIN pg_stat_activity USING (pid)
      WHERE application_name = 'svc owner' AND locktype = 'advisory' AND granted`;
    const [lost] = await query<{ pid: number }>(url, `SELECT pid, pg_terminate_backend(pid) ${guard}`);
    await until('the lock in a new session', async () =>
      (await query<{ pid: number }>(url, `SELECT pid ${guard}`)).some(({ pid }) => pid !== lost?.pid),
    );
    expect(await refusal()).toBeInstanceOf(DataFolderError);
  });

  test('goes to the next start when its server is on the way down', async () => {
    useAgain();
    const first = await start();
    const [second] = await Promise.all([start(), first.stop()]);
    expect(await query(second.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });
});

describe('After a kill', () => {
  test('of the service, the surviving server is adopted and stopped as its own', async () => {
    useAgain();
    const owner = startOwner();
    const url = await owner.firstLine();
    const pid = postmasterPid();
    await kill(owner);

    const adopted = await start();
    expect({ url: adopted.url, pid: postmasterPid() }).toEqual({ url, pid });
    expect(await refusal()).toBeInstanceOf(DataFolderError);
    await adopted.stop();
    expect(existsSync(join(dataDir, 'pg', 'postmaster.pid'))).toBe(false);
  });

  test('of the service and its server, the database recovers', async () => {
    useAgain();
    const owner = startOwner();
    await query(await owner.firstLine(), 'CREATE TABLE kept AS SELECT 1 AS value');
    const pid = postmasterPid();
    process.kill(pid, 'SIGKILL');
    await kill(owner);

    const { url } = await start();
    expect(postmasterPid()).not.toBe(pid);
    expect(await query(url, 'TABLE kept')).toEqual([{ value: 1 }]);
  });

  test('of the server alone, it is started again at the same address', async () => {
    useAgain();
    const { url } = await start();
    await query(url, 'CREATE TABLE kept AS SELECT 1 AS value');
    const pid = postmasterPid();
    process.kill(pid, 'SIGKILL');
    const rows = await until('the server again', () => query(url, 'TABLE kept').catch(() => null));
    expect(rows).toEqual([{ value: 1 }]);
    expect(postmasterPid()).not.toBe(pid);
    await started[0]?.stop();
    expect(existsSync(join(dataDir, 'pg', 'postmaster.pid'))).toBe(false);
  });

  test('of the server, another program with its process id is not taken for it', async () => {
    useAgain();
    const foreign = [process.pid, join(dataDir, 'pg'), 1, 5432, '', '127.0.0.1', '', 'ready'];
    writeFileSync(join(dataDir, 'pg', 'postmaster.pid'), foreign.join('\n'));
    expect(await attachEmbedded({ dataDir })).toBeNull();
    const { url } = await start();
    expect(await query(url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });
});

describe('A data folder that cannot be used', () => {
  test('made by another version of PostgreSQL is refused with both versions and the way out', async () => {
    useAgain();
    writeFileSync(join(dataDir, 'pg', 'PG_VERSION'), '15\n');
    const error = await refusal();
    expect(error).toBeInstanceOf(DataFolderError);
    expect(error).toMatchObject({
      message: expect.stringMatching(/PostgreSQL 15,.* PostgreSQL 18: set DATA_DIR/),
    });
  });

  test('is named when it is not a folder, with the way out', async () => {
    writeFileSync(join(dataDir, 'file'), '');
    const error = await startEmbedded({ dataDir: join(dataDir, 'file') }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(DataFolderError);
    expect(error).toMatchObject({
      message: expect.stringMatching(/cannot use the data folder .*file: .*Set DATA_DIR/),
    });
  });

  test('with something else in the place of the database is left as it is', async () => {
    mkdirSync(join(dataDir, 'pg'));
    writeFileSync(join(dataDir, 'pg', 'notes.txt'), 'mine');
    expect(await refusal()).toMatchObject({ message: expect.stringContaining('is not a PostgreSQL folder') });
    expect(readFileSync(join(dataDir, 'pg', 'notes.txt'), 'utf8')).toBe('mine');
  });

  test('shows the last words of a server that dies during its start', async () => {
    useAgain();
    writeFileSync(join(dataDir, 'pg', 'postgresql.conf'), 'no_such_setting = 1\n');
    const error = await refusal();
    expect(error).toBeInstanceOf(DataFolderError);
    expect(error).toMatchObject({ message: expect.stringMatching(/exit code 1.*no_such_setting.*FATAL/s) });
  });
});
