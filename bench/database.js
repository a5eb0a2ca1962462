import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { migrate } from '../dist/db/migrations/index.js';
import { openDatabase } from '../dist/db/opening/open.js';
import { DATA_VERSION, makeData } from './data/index.js';

/** A migrated database with this number of rows: `DATABASE_URL`, or an embedded PostgreSQL. */
export async function openBenchDatabase({ rows, raw, data }) {
  const databaseUrl = process.env.DATABASE_URL || null;
  const dataDir = databaseUrl === null ? folderFor({ rows, raw, data }) : tmpdir();
  const opened = await openDatabase({ databaseUrl, dataDir }, 'own');
  const close = async () => {
    await opened.close();
    if (databaseUrl === null && data === null) rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    await migrate(opened.url);
    const client = new pg.Client({ connectionString: opened.url });
    client.on('error', () => {});
    await client.connect();
    await prepare(client, { rows, raw });
    return {
      url: opened.url,
      client,
      close: async () => {
        await client.end().catch(() => {});
        await close();
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function folderFor({ rows, raw, data }) {
  if (data === null) return mkdtempSync(join(tmpdir(), 'svc-bench-'));
  const folder = resolve(data, `rows-${rows}-${raw}-v${DATA_VERSION}`);
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** Creates the data unless it exists. Never adds to a database that holds anything else. */
async function prepare(client, { rows, raw }) {
  const wanted = `bench of ${rows} rows, ${raw} raw data, version ${DATA_VERSION}`;
  const { rows: found } = await client.query(
    `SELECT obj_description('organisations'::regclass) AS made, EXISTS (SELECT FROM organisations) AS used`,
  );
  if (found[0].made === wanted) return;
  if (found[0].used) throw new Error(`the database holds other data than the ${wanted}: give an empty one`);
  await makeData(client, { rows, raw });
  // Last, so that data of an interrupted run is not mistaken for complete.
  await client.query(`COMMENT ON TABLE organisations IS '${wanted}'`);
}
