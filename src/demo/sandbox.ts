import pg from 'pg';

import { AppError } from '../errors.js';
import type { Logger } from '../log.js';
import { startSandbox, type Sandbox } from '../sandbox/index.js';
import { CALLBACK_PATH } from '../connect/authorization.js';

const EXISTS_ALREADY = '42P04';

/** Starts the sandbox platforms, in a database of their own beside the service's. */
export async function startDemoSandbox(options: {
  readonly databaseUrl: string;
  /** Where the service is reached, when that is not this machine. */
  readonly publicUrl: string | null;
  readonly log: Logger;
}): Promise<Sandbox> {
  return startSandbox({
    databaseUrl: await sandboxDatabase(options.databaseUrl),
    redirectUris: options.publicUrl === null ? [] : [options.publicUrl + CALLBACK_PATH],
    log: options.log,
  });
}

/** The address of `<database>_sandbox` on the same server; made where it is missing. */
async function sandboxDatabase(databaseUrl: string): Promise<string> {
  const url = new URL(databaseUrl);
  const name = `${decodeURIComponent(url.pathname.slice(1))}_sandbox`;
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [name]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${pg.escapeIdentifier(name)}`);
  } catch (cause) {
    if ((cause as { code?: string }).code !== EXISTS_ALREADY) {
      const message = `the sandbox platforms need the database ${name}, which could not be made (${(cause as Error).message}): make it, or set SANDBOX_URL to a sandbox elsewhere, or DEMO_DATA=false`;
      throw new AppError('service-unavailable', message, 'DATABASE_URL', { cause });
    }
  } finally {
    await client.end();
  }
  url.pathname = `/${encodeURIComponent(name)}`;
  return url.href;
}
