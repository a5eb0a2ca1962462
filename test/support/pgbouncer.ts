import { spawn } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { freePort } from './nginx.js';
import { until } from './until.js';

const PGBOUNCER = process.env['PGBOUNCER_PATH'] ?? '/usr/sbin/pgbouncer';
export const hasPgBouncer = existsSync(PGBOUNCER);

/** The user `nobody`: PgBouncer refuses to run as root. */
const NOBODY = 65_534;

export interface PgBouncer {
  /** The URL of the same database through PgBouncer. */
  url(url: string): string;
  stop(): Promise<void>;
}

export interface PgBouncerOptions {
  readonly mode: 'transaction' | 'session' | 'statement';
  /** Maximum sessions at PostgreSQL per login and database. */
  readonly size: number;
  /** The login for looking up passwords, if not that of `server`. */
  readonly user?: { readonly name: string; readonly password: string };
  /** Additional lines of its section. */
  readonly more?: string;
}

/**
 * Starts PgBouncer in front of a PostgreSQL, where it looks up the passwords of all logins except the one it looks them
 * up with: by default that of `server`, a superuser's.
 */
export async function startPgBouncer(server: string, options: PgBouncerOptions): Promise<PgBouncer> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-pgbouncer-'));
  const port = await freePort();
  const { hostname, port: serverPort, username, password } = new URL(server);
  const asks = options.user ?? {
    name: decodeURIComponent(username),
    password: decodeURIComponent(password),
  };
  const users = join(folder, 'users');
  const settings = join(folder, 'pgbouncer.ini');
  writeFileSync(users, `"${asks.name}" "${asks.password}"\n`);
  writeFileSync(
    settings,
    `[databases]
* = host=${hostname} port=${serverPort || '5432'}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${users}
auth_user = ${asks.name}
pool_mode = ${options.mode}
default_pool_size = ${options.size}
${options.more ?? ''}
`,
  );
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) for (const path of [folder, users, settings]) chownSync(path, NOBODY, NOBODY);
  const child = spawn(PGBOUNCER, ['-q', settings], {
    cwd: '/',
    stdio: ['ignore', 'ignore', process.env['PGBOUNCER_LOG'] ? 'inherit' : 'ignore'],
    ...(isRoot && { uid: NOBODY, gid: NOBODY }),
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const url = (direct: string) =>
    Object.assign(new URL(direct), { hostname: '127.0.0.1', port: String(port) }).href;
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  const known = Object.assign(new URL(server), { username: asks.name, password: asks.password }).href;
  await until('PgBouncer to answer', () => answers(url(known)));
  return { url, stop };
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('SELECT 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
