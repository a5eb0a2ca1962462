import type pg from 'pg';
import type { Config } from '../../config/config.js';
import { withClient } from '../pool/client.js';
import { AppError } from '../../errors.js';
import { DataFolderError, type EmbeddedOptions, startEmbedded } from '../embedded/index.js';
import { refusePooler } from './pooler.js';
import { holdEmbedded, untilReleased } from './share.js';
import { type Patience, whenAnswering } from './wait.js';

/** An opened database: its URLs, and how to close it. */
export interface OpenedDatabase {
  /** The owner's URL at PostgreSQL itself. */
  readonly url: string;
  /** The pooler's URL, for requests and jobs. */
  readonly pooledUrl: string | null;
  readonly embedded: boolean;
  close(): Promise<void>;
}

interface OpenOptions {
  readonly patience?: Patience;
  /** Called when the embedded server dies and is restarted. */
  readonly onServerEnd?: (message: string) => void;
}

const OLDEST_SERVER = 150_000;
const ENCODING = 'UTF8';
/** Where migrations create all tables, and look for them. */
const SCHEMA = 'public';

/** Advice for an address that turns out to be a pooler's. */
const ADVICE = {
  DATABASE_URL: 'keep it, and set DATABASE_DIRECT_URL to the address of PostgreSQL itself',
  DATABASE_DIRECT_URL: 'set it to the address of PostgreSQL itself',
};

/**
 * The database of `DATABASE_URL` or the embedded one. `own` starts the embedded server and refuses one that another
 * start holds; `attach` uses that one, for a command beside a running service. Waits for a server that does not answer
 * yet as `patience` says. Throws with one clear message.
 */
export async function openDatabase(
  config: Pick<Config, 'databaseUrl' | 'databaseDirectUrl' | 'dataDir'>,
  mode: 'own' | 'attach',
  { patience = { seconds: 0 }, onServerEnd }: OpenOptions = {},
): Promise<OpenedDatabase> {
  if (config.databaseUrl !== null) {
    const { databaseUrl, databaseDirectUrl } = config;
    const url = databaseDirectUrl ?? databaseUrl;
    await probe(url, databaseDirectUrl === null ? 'DATABASE_URL' : 'DATABASE_DIRECT_URL', patience);
    const pooledUrl = databaseDirectUrl === null ? null : databaseUrl;
    return { url, pooledUrl, embedded: false, close: async () => {} };
  }
  return mode === 'own'
    ? ownEmbedded({ ...config, ...(onServerEnd && { onServerEnd }) })
    : shareEmbedded(config);
}

async function ownEmbedded(config: EmbeddedOptions): Promise<OpenedDatabase> {
  const started = await startEmbedded(config);
  return { url: started.url, pooledUrl: null, embedded: true, close: () => started.stop() };
}

/** The first command starts it; concurrent commands share it until the last of them is done. */
async function shareEmbedded(config: { dataDir: string }): Promise<OpenedDatabase> {
  for (let attempt = 1; ; attempt += 1) {
    const held = await holdEmbedded(config);
    if (held) return { url: held.url, pooledUrl: null, embedded: true, close: () => held.release() };
    try {
      const started = await startEmbedded(config);
      const close = () => untilReleased(started.url).then(() => started.stop());
      return { url: started.url, pooledUrl: null, embedded: true, close };
    } catch (error) {
      // Another start may have been faster.
      if (!(error instanceof DataFolderError) || attempt === 3) throw error;
    }
  }
}

/** Waits for a server that does not answer yet; one that refuses the login or lacks the database will not change. */
function probe(
  url: string,
  variable: 'DATABASE_URL' | 'DATABASE_DIRECT_URL',
  patience: Patience,
): Promise<void> {
  const settings = settingsOf(url);
  return namingTheSetting(url, variable, () =>
    whenAnswering(patience, () =>
      withClient(settings, async (client) => {
        await refuseUnfit(client);
        await refusePooler(client, settings, ADVICE[variable]);
      }),
    ),
  );
}

/** Throws with one clear message if the database at the address of a setting does not answer. */
export const requireDatabase = (url: string, variable: string): Promise<void> =>
  namingTheSetting(url, variable, () => withClient(settingsOf(url), async () => undefined));

const settingsOf = (url: string) => ({
  connectionString: url,
  connectionTimeoutMillis: 5000,
  query_timeout: 5000,
});

async function namingTheSetting(url: string, variable: string, work: () => Promise<void>): Promise<void> {
  const { host, pathname } = new URL(url);
  try {
    await work();
  } catch (error) {
    const { message, code } = rootOf(error) as { message?: string; code?: string };
    const reason = message || code || 'no answer';
    throw new AppError(
      'service-unavailable',
      `${variable}: cannot use ${pathname.slice(1)} at ${host}: ${reason}`,
      variable,
      { cause: error },
    );
  }
}

/** The original error of the database or network. */
const rootOf = (error: unknown): unknown =>
  error instanceof AppError && error.cause !== undefined ? error.cause : error;

interface Server {
  readonly version: number;
  readonly name: string;
  readonly encoding: string;
  readonly schema: string | null;
}

async function refuseUnfit(client: pg.Client): Promise<void> {
  const { rows } = await client.query<Server>(
    `SELECT current_setting('server_version_num')::int AS version, current_setting('server_version') AS name,
       current_setting('server_encoding') AS encoding, current_schema() AS schema`,
  );
  const [server] = rows;
  if (!server) return;
  const { version, name, encoding, schema } = server;
  if (encoding !== ENCODING) {
    throw new Error(
      `its encoding is ${encoding}, which cannot hold all names and signs: create it with ENCODING '${ENCODING}' TEMPLATE template0, and move what is here by npm run backup of the earlier build`,
    );
  }
  if (version < OLDEST_SERVER) throw new Error(`the server is PostgreSQL ${name}, 15 or later is needed`);
  if (schema !== SCHEMA) {
    const found = schema === null ? 'to no schema' : `to the schema ${schema}`;
    throw new Error(`the login's search_path leads ${found}, it must lead to ${SCHEMA}`);
  }
}
