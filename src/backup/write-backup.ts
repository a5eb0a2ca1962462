import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { foreignTables } from '../db/own-relations.js';
import { AppError } from '../errors.js';
import { type BackupFooter, type BackupHeader, END_OF_ROWS, FIRST_LINE } from './format.js';
import { withSession } from './session.js';
import { columnsOf, hasOwnTables, listSequences, listTables, quoteName } from './tables.js';

interface WriteOptions {
  /** The service may be using it. */
  readonly url: string;
  /** Included so that the restored service can decrypt its secrets; null: they have to be kept elsewhere. */
  readonly secretKeys: readonly string[] | null;
  readonly tell: (line: string) => void;
}

/**
 * Writes a consistent snapshot of all tables of the service and closes `out`. Excludes document files. Returns the row
 * counts.
 */
export async function writeBackup(out: Writable, options: WriteOptions): Promise<BackupFooter> {
  const { url, secretKeys, tell } = options;
  return withSession(url, 'backup', async (client) => {
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    if (!(await hasOwnTables(client))) {
      throw new AppError(
        'not-found',
        'the database has no tables of the service: there is nothing to back up',
      );
    }
    const header = await readHeader(client, secretKeys);
    const { length } = await foreignTables(client);
    if (length > 0)
      tell(`not in the backup: ${length} tables and views of public that are not the service's`);
    const gzip = createGzip();
    const written = pipeline(gzip, out);
    // Handled below; it must not end the process before.
    written.catch(() => undefined);
    const write = async (data: string | Buffer) => {
      if (!gzip.write(data)) await drainedOrClosed(gzip);
      if (gzip.destroyed) await written.catch(refuseOutput);
    };
    const line = (text: string) => write(`${text}\n`);
    await line(FIRST_LINE);
    await line(JSON.stringify(header));
    const rows: Record<string, number> = {};
    for (const table of header.tables) {
      const columns = columnsOf(table);
      await line(`COPY ${quoteName(table.name)} (${columns}) FROM stdin;`);
      const copy = client.query(copyTo(`COPY (SELECT ${columns} FROM ${quoteName(table.name)}) TO STDOUT`));
      for await (const chunk of copy) await write(chunk as Buffer);
      await line(END_OF_ROWS);
      // The count arrives with the end of the command, maybe after the last row: the next statement waits for it.
      await client.query('SELECT');
      rows[table.name] = copy.rowCount;
      if (copy.rowCount > 0) tell(`${table.name}: ${copy.rowCount} rows`);
    }
    await client.query('COMMIT');
    gzip.end(`${JSON.stringify({ rows } satisfies BackupFooter)}\n`);
    await written.catch(refuseOutput);
    return { rows };
  });
}

/**
 * Resolves when the stream takes more, or never will. Not by a race with a promise of its end, which would keep a trace of
 * every wait.
 */
function drainedOrClosed(stream: Writable): Promise<void> {
  return new Promise((resolve) => {
    // False once it is destroyed, too.
    if (!stream.writableNeedDrain) return resolve();
    const done = () => {
      stream.off('drain', done).off('close', done);
      resolve();
    };
    stream.on('drain', done).on('close', done);
  });
}

/** Handles a backup whose output file or reader fails. */
export function refuseOutput(error: Error): never {
  throw new AppError('service-unavailable', `the backup cannot be written: ${error.message}`, [], {
    cause: error,
  });
}

async function readHeader(
  client: pg.ClientBase,
  secretKeys: readonly string[] | null,
): Promise<BackupHeader> {
  const { rows: migrations } = await client.query<{ name: string }>(
    `SELECT migration_name AS name FROM "_prisma_migrations" WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL
     ORDER BY migration_name COLLATE "C"`,
  );
  const { rows: partitions } = await client.query<{ name: string; bounds: string }>(
    `SELECT c.relname AS name, pg_get_expr(c.relpartbound, c.oid) AS bounds
     FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
     WHERE i.inhparent = 'record_changes'::regclass ORDER BY 1`,
  );
  const sequences = [];
  // Read after the snapshot: every id in its rows was drawn from the sequences before.
  for (const name of await listSequences(client)) {
    const { rows } = await client.query<{ value: string; isCalled: boolean }>(
      `SELECT last_value::text AS value, is_called AS "isCalled" FROM ${quoteName(name)}`,
    );
    sequences.push(...rows.map((row) => ({ name, ...row })));
  }
  return {
    madeAt: new Date().toISOString(),
    migrations: migrations.map(({ name }) => name),
    partitions,
    sequences,
    tables: await listTables(client),
    secretKeys,
  };
}
