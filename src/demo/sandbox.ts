import pg from 'pg';

import { AppError, codeOf } from '../errors.js';
import type { Logger } from '../telemetry/log.js';
import { startSandbox, type Sandbox } from '../sandbox/index.js';
import { CALLBACK_PATH } from '../connect/authorization.js';

const EXISTS_ALREADY = '42P04';

/** Starts the sandbox platforms in their own database on the service's server. */
export async function startDemoSandbox(options: {
  readonly databaseUrl: string;
  /** The service's public URL if it is not this machine. */
  readonly publicUrl: string | null;
  /** If taken, another one is used. */
  readonly port: number;
  readonly tell: (line: string) => void;
  readonly log: Logger;
}): Promise<Sandbox> {
  const { publicUrl, port, tell, log } = options;
  const start = async (at: number) =>
    startSandbox({
      databaseUrl: await sandboxDatabase(options.databaseUrl),
      redirectUris: publicUrl === null ? [] : [publicUrl + CALLBACK_PATH],
      port: at,
      log,
    });
  return start(port).catch((error: unknown) => {
    if (codeOf(error) !== 'EADDRINUSE') throw error;
    tell(`Port ${port} is in use (SANDBOX_PORT): the sandbox platforms use another one`);
    return start(0);
  });
}

/**
 * Drops the sandbox platforms' data, so that the next demo starts fresh: their schema, and the database only if it
 * holds nothing else, since others could use a database of that name.
 */
export async function dropDemoSandbox(databaseUrl: string): Promise<void> {
  const name = sandboxName(databaseUrl);
  const known = await onServer(databaseUrl, (client) =>
    client.query('SELECT FROM pg_database WHERE datname = $1', [name]),
  );
  if (known.rowCount === 0) return;
  const { rowCount: others } = await onServer(sandboxUrl(databaseUrl), async (client) => {
    await client.query('DROP SCHEMA IF EXISTS sandbox CASCADE');
    return client.query(`SELECT FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`);
  });
  if (others !== 0) return;
  await onServer(databaseUrl, (client) =>
    client.query(`DROP DATABASE IF EXISTS ${pg.escapeIdentifier(name)} WITH (FORCE)`),
  );
}

async function onServer<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const sandboxUrl = (databaseUrl: string): string =>
  Object.assign(new URL(databaseUrl), { pathname: `/${encodeURIComponent(sandboxName(databaseUrl))}` }).href;

const sandboxName = (databaseUrl: string): string =>
  `${decodeURIComponent(new URL(databaseUrl).pathname.slice(1))}_sandbox`;

/** The address of `<database>_sandbox` on the same server; created if missing. */
async function sandboxDatabase(databaseUrl: string): Promise<string> {
  const name = sandboxName(databaseUrl);
  try {
    await onServer(databaseUrl, async (client) => {
      const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [name]);
      if (rowCount === 0) await client.query(`CREATE DATABASE ${pg.escapeIdentifier(name)}`);
    });
  } catch (cause) {
    if (codeOf(cause) !== EXISTS_ALREADY) {
      const message = `the sandbox platforms need the database ${name}, which could not be made (${(cause as Error).message}): make it, or set SANDBOX_URL to a sandbox elsewhere, or DEMO_DATA=false`;
      throw new AppError('service-unavailable', message, 'DATABASE_URL', { cause });
    }
  }
  return sandboxUrl(databaseUrl);
}
