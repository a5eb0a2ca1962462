import { PrismaPg } from '@prisma/adapter-pg';
import {
  ColumnTypeEnum,
  type SqlDriverAdapter,
  type SqlMigrationAwareDriverAdapterFactory,
  type SqlQuery,
} from '@prisma/driver-adapter-utils';
import pg from 'pg';

/** PostgreSQL's one-byte type "char", common in its catalogue but unknown to the adapter. */
const CHAR_OID = 18;
const TEXT_OID = 25;

/** Undeclared members of PrismaPg. A reason for exact versions, and for the tests of this folder. */
type Internals = {
  performIO(query: SqlQuery): Promise<{ fields: { dataTypeID: number }[] }>;
  onError(error: unknown): never;
};

type AdapterOptions = {
  url: string;
  /** Collects open pools: the engine does not close them all. */
  pools: Set<pg.Pool>;
  /** Final change to a script before it runs. */
  prepareScript: (script: string) => string;
  /** Called with PostgreSQL's own error: the engine passes on only its message. */
  onScriptError: (error: unknown) => void;
};

/** PrismaPg adapted for migrations. */
export function migrationAdapterFactory(options: AdapterOptions): SqlMigrationAwareDriverAdapterFactory {
  return {
    provider: 'postgres',
    adapterName: '@prisma/adapter-pg',
    connect: () => connect(options),
    // PrismaPg's own, given a connection string, is the live database. Nothing here needs one.
    connectToShadowDb: () => Promise.reject(new Error('There is no shadow database')),
  };
}

async function connect({
  url,
  pools,
  prepareScript,
  onScriptError,
}: AdapterOptions): Promise<SqlDriverAdapter> {
  // One connection that stays open when idle, since it holds the engine's lock.
  const pool = new pg.Pool({ connectionString: url, max: 1, idleTimeoutMillis: 0 });
  // A lost connection fails the running statement; without listeners it would end this process.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  pools.add(pool);
  const adapter = await new PrismaPg(pool).connect();
  readCharColumns(adapter);
  const internals = adapter as unknown as Internals;
  // PrismaPg cuts a script at every semicolon, also inside a function's body. Sent whole, it is one transaction.
  adapter.executeScript = async (script) => {
    await pool.query(prepareScript(script)).catch((error: unknown) => {
      onScriptError(error);
      internals.onError(error);
    });
  };
  adapter.dispose = async () => {
    pools.delete(pool);
    await pool.end();
  };
  return adapter;
}

/** Passes "char" columns to the engine as characters; PrismaPg reads them as text. */
function readCharColumns(adapter: SqlDriverAdapter): void {
  const internals = adapter as unknown as Internals;
  const performIO = internals.performIO.bind(adapter);
  const queryRaw = adapter.queryRaw.bind(adapter);
  const charColumns = new WeakMap<SqlQuery, number[]>();
  internals.performIO = async (query) => {
    const result = await performIO(query);
    const columns = result.fields.flatMap((field, index) => (field.dataTypeID === CHAR_OID ? [index] : []));
    for (const field of result.fields) if (field.dataTypeID === CHAR_OID) field.dataTypeID = TEXT_OID;
    charColumns.set(query, columns);
    return result;
  };
  adapter.queryRaw = async (query) => {
    const result = await queryRaw(query);
    for (const index of charColumns.get(query) ?? []) result.columnTypes[index] = ColumnTypeEnum.Character;
    return result;
  };
}
