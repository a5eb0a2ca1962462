import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { withClient } from '../db/pool/client.js';
import { boundToPublic, foreignTables } from '../db/own-relations.js';
import { migrate, migrationNames, resetDatabase } from '../db/migrations/index.js';
import { AppError, codeOf } from '../errors.js';
import { migrateJobs } from '../jobs/migrate-jobs.js';
import { type BackupFooter, type BackupHeader, END_OF_ROWS, FIRST_LINE } from './format.js';
import { BackupReader, unreadable, noBackup } from './reader.js';
import { withSession } from './session.js';
import { columnsOf, hasOwnTables, listSequences, listTables, quoteName } from './tables.js';

export interface RestoreResult extends BackupFooter {
  readonly header: BackupHeader;
  /** Migrations newer than the backup. */
  readonly applied: readonly string[];
}

interface ReadOptions {
  readonly url: string;
  readonly tell: (line: string) => void;
  /** Stores the backup's keys; called before the rows are committed, which could not be read without them. */
  readonly keepKeys: (keys: BackupHeader['secretKeys']) => void;
}

/**
 * Restores a backup into a database without organisations and without tables of others, and applies this build's newer
 * migrations. Restores all rows or none. Throws if the database is in use, if the backup is damaged or from a newer
 * build, or if `keepKeys` throws.
 */
export async function readBackup(
  file: Readable,
  { url, tell, keepKeys }: ReadOptions,
): Promise<RestoreResult> {
  const reader = new BackupReader(file);
  const header = await readHeader(reader).catch(refuseDamage);
  const known = migrationNames();
  const unknown = header.migrations.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    const message = `the backup was made by a newer build: this one does not know ${unknown.join(', ')}`;
    throw new AppError('invalid-params', message);
  }
  await withClient({ connectionString: url }, async (client) => {
    await refuseRows(client);
    await refuseForeignTables(client);
    if (await hasOwnTables(client)) await refuseBound(client);
  });
  // Its tables may have newer migrations than the backup.
  if (await withClient({ connectionString: url }, hasOwnTables)) await resetDatabase(url);
  await migrate(url, { names: header.migrations });
  await migrateJobs(url);
  const { rows } = await withSession(url, 'restore', (client) =>
    loadRows(client, { reader, header, tell, keepKeys }),
  );
  return { header, rows, applied: await migrate(url) };
}

/** PostgreSQL error codes for invalid values and violated constraints. */
const UNFIT = /^2[23]/;

/** Reports a file that was changed after it was written: neither this code nor the database can read it. */
function refuseDamage(error: unknown): never {
  throw error instanceof SyntaxError || UNFIT.test(codeOf(error)) ? unreadable(error) : error;
}

async function readHeader(reader: BackupReader): Promise<BackupHeader> {
  if ((await reader.line()) !== FIRST_LINE) throw noBackup();
  return JSON.parse((await reader.line()) ?? '') as BackupHeader;
}

async function refuseRows(client: pg.ClientBase): Promise<void> {
  if (!(await hasOwnTables(client))) return;
  const { rows } = await client.query<{ count: number }>('SELECT count(*)::int AS count FROM organisations');
  const count = rows[0]?.count ?? 0;
  if (count === 0) return;
  const message = `the database holds ${count} organisations: a backup can only be restored into an empty one (another DATABASE_URL or DATA_DIR)`;
  throw new AppError('conflict', message);
}

/** Names shown of tables that are in the way. */
const MAX_SHOWN = 10;

/** They would be dropped with the tables that the migrations have made. */
async function refuseForeignTables(client: pg.ClientBase): Promise<void> {
  const names = await foreignTables(client);
  if (names.length === 0) return;
  const message =
    `the database has tables or views in public that are not the service's: ${shown(names)}. ` +
    'Restore into another database, or move them to another schema first: ALTER TABLE ... SET SCHEMA ...';
  throw new AppError('conflict', message);
}

/** Its schema is made anew. */
async function refuseBound(client: pg.ClientBase): Promise<void> {
  const names = await boundToPublic(client);
  if (names.length === 0) return;
  const message =
    `with the schema public, which is made anew, the database would lose what is not the service's: ${shown(names)}. ` +
    'Restore into another database, or move extensions and types to another schema (ALTER EXTENSION or TYPE ... SET SCHEMA ...) and drop the rest first';
  throw new AppError('conflict', message);
}

function shown(names: readonly string[]): string {
  const more = names.length > MAX_SHOWN ? ` and ${names.length - MAX_SHOWN} more` : '';
  return names.slice(0, MAX_SHOWN).join(', ') + more;
}

async function readFooter(reader: BackupReader): Promise<Partial<BackupFooter>> {
  return JSON.parse((await reader.line()) ?? '{}') as Partial<BackupFooter>;
}

interface Loading extends Pick<ReadOptions, 'tell' | 'keepKeys'> {
  readonly reader: BackupReader;
  readonly header: BackupHeader;
}

async function loadRows(
  client: pg.ClientBase,
  { reader, header, tell, keepKeys }: Loading,
): Promise<BackupFooter> {
  await client.query('BEGIN');
  for (const { name, bounds } of header.partitions) {
    await client.query(`CREATE TABLE IF NOT EXISTS ${quoteName(name)} PARTITION OF record_changes ${bounds}`);
  }
  const known = new Set((await listTables(client)).map(({ name }) => name));
  const rows: Record<string, number> = {};
  for (const table of header.tables) {
    const begin = `COPY ${quoteName(table.name)} (${columnsOf(table)}) FROM stdin;`;
    if ((await reader.line()) !== begin) throw unreadable(new Error(`it lacks the table ${table.name}`));
    if (!known.has(table.name)) {
      // Earlier builds wrote the operator's tables, too.
      for await (const _ of reader.linesUntil(END_OF_ROWS));
      tell(`${table.name}: left out, not a table of the service`);
      continue;
    }
    const copy = client.query(copyFrom(begin.replace('FROM stdin;', 'FROM STDIN')));
    await pipeline(Readable.from(reader.linesUntil(END_OF_ROWS)), copy).catch(refuseDamage);
    rows[table.name] = copy.rowCount;
    if (copy.rowCount > 0) tell(`${table.name}: ${copy.rowCount} rows`);
  }
  const counted = await readFooter(reader).catch(refuseDamage);
  // Earlier builds wrote 0 if the count arrived after the rows: for those the file's checksum suffices.
  const lacking = Object.keys(rows).find((name) => ![rows[name], 0].includes(counted.rows?.[name]));
  if (lacking !== undefined) throw unreadable(new Error(`it is incomplete: rows of ${lacking} are missing`));
  const sequences = new Set(await listSequences(client));
  for (const { name, value, isCalled } of header.sequences) {
    if (!sequences.has(name)) continue;
    await client.query('SELECT setval($1::regclass, $2, $3)', [quoteName(name), value, isCalled]);
  }
  // No worker is running during a restore to run them.
  await client.query(
    'UPDATE graphile_worker._private_jobs SET locked_at = NULL, locked_by = NULL WHERE locked_by IS NOT NULL',
  );
  await client.query(
    'UPDATE graphile_worker._private_job_queues SET locked_at = NULL, locked_by = NULL WHERE locked_by IS NOT NULL',
  );
  keepKeys(header.secretKeys);
  await client.query('COMMIT');
  await client.query('ANALYZE');
  return { rows };
}
