import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { SPREAD } from '../../src/shards/placement.js';
import { databaseUrl } from '../support/database.js';

let client: pg.Client;

beforeAll(async () => {
  client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
});
afterAll(() => client.end());

const isSpread = (name: string): boolean => SPREAD.some(({ table }) => table === name);

/** Each with why it does not grow with the records of its customers, or cannot leave the coordinator. */
const AT_COORDINATOR: Readonly<Record<string, string>> = {
  activities: 'told to followers; a few a sync',
  audit_events: 'what callers and operators did; found by organisation',
  authorizations: 'logins at platforms that are under way',
  connection_credentials: 'one a connection',
  connections: 'told to followers; every store holds its row',
  field_mappings: 'made by hand; some are of no company',
  idempotency_keys: 'noted with the write that they are of; forgotten after days',
  invite_links: 'made by hand',
  platform_calls: 'those that are under way',
  service_events: 'followers are told; forgotten after days',
  sync_configs: 'settings',
  sync_jobs: 'told to followers; one a sync and record type',
  sync_marks: 'one a connection and record type',
  syncs: 'told to followers; leases',
  upload_items: 'told to followers; forgotten after days',
  uploads: 'told to followers; leases',
};

test('every table that names a company is spread, or has a reason not to be', async () => {
  const { rows } = await client.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
       AND a.attname = 'svc_company_id' ORDER BY 1`,
  );
  const here = rows.map(({ name }) => name).filter((name) => !isSpread(name));
  expect(here).toEqual(Object.keys(AT_COORDINATOR).sort());
});

describe.each(SPREAD.map(({ table, by }) => [table, by] as const))('%s, spread by %s', (table, by) => {
  test('has that in each of its unique indexes, and never changes it', async () => {
    const { rows } = await client.query<{ columns: string[] }>(
      `SELECT ARRAY(SELECT a.attname::text FROM pg_attribute a WHERE a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey))
         AS columns
       FROM pg_index i WHERE i.indrelid = $1::regclass AND i.indisunique`,
      [`public.${table}`],
    );
    expect(rows.length).toBeGreaterThan(0);
    for (const { columns } of rows) expect(columns).toContain(`svc_${by}_id`);
  });

  test('leads to nothing but what stays at the coordinator, and nothing leads to it', async () => {
    const { rows } = await client.query<{ name: string }>(
      `SELECT CASE WHEN k.conrelid = $1::regclass THEN k.confrelid ELSE k.conrelid END::regclass::text AS name
       FROM pg_constraint k WHERE k.contype = 'f' AND $1::regclass IN (k.conrelid, k.confrelid)`,
      [`public.${table}`],
    );
    // Another key could be kept, as its tables lie beside each other: `distribute` drops them all.
    for (const { name } of rows)
      expect({ name, isSpread: isSpread(name) }).toEqual({ name, isSpread: false });
  });
});
