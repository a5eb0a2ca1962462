import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { locateBinaries } from '../../src/db/embedded/binaries.js';
import { dataFolder } from '../../src/db/embedded/data-folder.js';
import { type EmbeddedDatabase, startEmbedded } from '../../src/db/embedded/index.js';
import { chooseRunAs, commandAs, giveTo } from '../../src/db/embedded/run-as.js';
import { fillDataFolder } from './data-folder.js';
import { freePort } from './nginx.js';
import { until } from './until.js';

/** A PostgreSQL for a single test, which standbys can follow. Its own database is migrated. */
export interface Primary {
  /** As its superuser. */
  readonly url: string;
  readonly dataDir: string;
  stop(): Promise<void>;
}

/** A server that streams from a primary. */
export interface Standby {
  /** The URL of the same database there. */
  url(url: string): string;
  /** Queries as its superuser, in the database of a URL. */
  query<Row extends pg.QueryResultRow>(text: string, database?: string): Promise<Row[]>;
  /** Pauses and resumes the replay of what it receives. */
  pause(): Promise<void>;
  resume(): Promise<void>;
  /** Ends it like a machine that dies. */
  crash(): Promise<void>;
  start(): Promise<void>;
  stop(): Promise<void>;
}

export async function startPrimary(): Promise<Primary> {
  const dataDir = mkdtempSync(join(tmpdir(), 'svc-primary-'));
  await fillDataFolder(dataDir);
  const server: EmbeddedDatabase = await startEmbedded({ dataDir });
  const stop = async () => {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
  return { url: server.url, dataDir, stop };
}

/** Copies the folder of a running primary, like pg_basebackup, which the embedded server lacks. */
export async function startStandby(primary: Primary): Promise<Standby> {
  const binaries = await locateBinaries();
  const folder = dataFolder(mkdtempSync(join(tmpdir(), 'svc-standby-')));
  const port = await freePort();
  const { hostname, port: primaryPort, username, password } = new URL(primary.url);
  const client = new pg.Client({ connectionString: primary.url });
  await client.connect();
  try {
    await client.query(`SELECT pg_backup_start('standby', fast => true)`);
    cpSync(dataFolder(primary.dataDir).cluster, folder.cluster, {
      recursive: true,
      filter: (path) => !path.endsWith('/postmaster.pid') && !path.endsWith('/postmaster.opts'),
    });
    const { rows } = await client.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop(false)');
    writeFileSync(join(folder.cluster, 'backup_label'), rows[0]?.labelfile ?? '');
  } finally {
    await client.end();
  }
  writeFileSync(join(folder.cluster, 'standby.signal'), '');
  const conninfo = `host=${hostname} port=${primaryPort} user=${username} password=${password}`;
  const settings = [
    ...[
      'listen_addresses=127.0.0.1',
      'unix_socket_directories=',
      'max_connections=200',
      'shared_buffers=32MB',
    ],
    ...['timezone=UTC', 'wal_retrieve_retry_interval=100ms', 'max_standby_streaming_delay=0'],
    `primary_conninfo=${conninfo}`,
  ].flatMap((setting) => ['-c', setting]);
  const runAs = chooseRunAs(folder, binaries);
  giveTo(runAs, folder.cluster);
  const { file, args, options } = commandAs(runAs, binaries.postgres, [
    ...['-D', folder.cluster, '-p', String(port)],
    ...settings,
  ]);
  const url = (other: string) =>
    Object.assign(new URL(other), { hostname: '127.0.0.1', port: String(port) }).href;
  const query = async <Row extends pg.QueryResultRow>(
    text: string,
    database = primary.url,
  ): Promise<Row[]> => {
    const there = new pg.Client({ connectionString: url(database) });
    there.on('error', () => undefined);
    try {
      await there.connect();
      return (await there.query<Row>(text)).rows;
    } finally {
      await there.end().catch(() => undefined);
    }
  };
  let server: ChildProcess | null = null;
  const crash = async () => {
    if (server?.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, 'exit');
    server.kill('SIGQUIT');
    await ended;
  };
  const standby: Standby = {
    url,
    query,
    pause: async () => {
      await query('SELECT pg_wal_replay_pause()');
      await until('replay to pause', async () => {
        const [row] = await query<{ state: string }>('SELECT pg_get_wal_replay_pause_state() AS state');
        return row?.state === 'paused';
      });
    },
    resume: async () => void (await query('SELECT pg_wal_replay_resume()')),
    crash,
    start: async () => {
      server = spawn(file, args, { ...options, stdio: 'ignore' });
      await until('the standby to answer', () => query('SELECT 1').catch(() => null));
    },
    stop: async () => {
      await crash();
      rmSync(folder.path, { recursive: true, force: true });
    },
  };
  await standby.start();
  return standby;
}
