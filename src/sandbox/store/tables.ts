import type { Pool } from 'pg';
import { inTransaction } from './transaction.js';

/**
 * Steps that create the sandbox's tables; each runs once, in order. `position` counts the objects of a kind from 1
 * without gaps, and a deleted object keeps its row. So pages do not shift, and a page is one range of the primary
 * key.
 */
const STEPS: readonly string[] = [
  `
  CREATE TABLE accounts (
    key integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    platform text NOT NULL,
    id text NOT NULL,
    name text NOT NULL,
    seed integer NOT NULL,
    made_of text NOT NULL,
    is_complete boolean NOT NULL DEFAULT false,
    dead text,
    idempotency boolean NOT NULL DEFAULT true,
    changed_at timestamptz(3) NOT NULL DEFAULT '-infinity',
    sequence bigint NOT NULL DEFAULT 0,
    UNIQUE (platform, id)
  );
  CREATE TABLE kinds (
    account integer NOT NULL REFERENCES accounts ON DELETE CASCADE,
    kind text NOT NULL,
    positions bigint NOT NULL,
    live bigint NOT NULL,
    PRIMARY KEY (account, kind)
  );
  CREATE TABLE objects (
    account integer NOT NULL REFERENCES accounts ON DELETE CASCADE,
    kind text NOT NULL,
    position bigint NOT NULL,
    id text NOT NULL,
    body text NOT NULL,
    number text,
    marker text,
    parent text,
    created_at timestamptz(3) NOT NULL,
    modified_at timestamptz(3) NOT NULL,
    deleted_at timestamptz(3),
    PRIMARY KEY (account, kind, position),
    UNIQUE (account, kind, id)
  );
  CREATE INDEX objects_modified ON objects (account, kind, modified_at, position);
  CREATE UNIQUE INDEX objects_number ON objects (account, kind, number) WHERE number IS NOT NULL AND deleted_at IS NULL;
  CREATE INDEX objects_marker ON objects (account, kind, marker) WHERE marker IS NOT NULL;
  CREATE INDEX objects_parent ON objects (account, kind, parent) WHERE parent IS NOT NULL;
  CREATE TABLE contents (
    account integer NOT NULL REFERENCES accounts ON DELETE CASCADE,
    id text NOT NULL,
    bytes bytea NOT NULL,
    PRIMARY KEY (account, id)
  );
  CREATE TABLE events (
    account integer NOT NULL REFERENCES accounts ON DELETE CASCADE,
    sequence bigint NOT NULL,
    type text NOT NULL,
    created_at timestamptz(3) NOT NULL,
    object text NOT NULL,
    PRIMARY KEY (account, sequence)
  );
  CREATE TABLE deletions (
    account integer NOT NULL REFERENCES accounts ON DELETE CASCADE,
    sequence bigint NOT NULL,
    kind text NOT NULL,
    id text NOT NULL,
    deleted_at timestamptz(3) NOT NULL,
    PRIMARY KEY (account, sequence)
  );
  CREATE INDEX deletions_time ON deletions (account, deleted_at, sequence);
  CREATE TABLE writes (
    account integer NOT NULL REFERENCES accounts ON DELETE CASCADE,
    sequence bigint NOT NULL,
    kind text NOT NULL,
    id text NOT NULL,
    operation text NOT NULL,
    marker text,
    idempotency_key text,
    written_at timestamptz(3) NOT NULL,
    PRIMARY KEY (account, sequence)
  );
  CREATE TABLE idempotency (
    account integer NOT NULL REFERENCES accounts ON DELETE CASCADE,
    key text NOT NULL,
    fingerprint text NOT NULL,
    status integer NOT NULL,
    body text NOT NULL,
    answered_at timestamptz(3) NOT NULL,
    PRIMARY KEY (account, key)
  );
  CREATE TABLE grants (
    id uuid PRIMARY KEY,
    account integer NOT NULL REFERENCES accounts ON DELETE CASCADE,
    client_id text NOT NULL,
    scope text NOT NULL,
    revoked_at timestamptz(3)
  );
  CREATE TABLE codes (
    hash text PRIMARY KEY,
    grant_id uuid NOT NULL REFERENCES grants ON DELETE CASCADE,
    redirect_uri text NOT NULL,
    challenge text NOT NULL,
    expires_at timestamptz(3) NOT NULL,
    used_at timestamptz(3)
  );
  CREATE TABLE tokens (
    hash text PRIMARY KEY,
    grant_id uuid NOT NULL REFERENCES grants ON DELETE CASCADE,
    kind text NOT NULL,
    expires_at timestamptz(3) NOT NULL,
    used_at timestamptz(3)
  );
  CREATE INDEX tokens_grant ON tokens (grant_id);
  `,
  // Keep objects of 2 to 8 kB in their rows, uncompressed: compression took most of the time of filling a shop.
  'ALTER TABLE objects SET (toast_tuple_target = 8160)',
  `
  CREATE INDEX codes_expiry ON codes (expires_at);
  CREATE INDEX tokens_expiry ON tokens (expires_at);
  CREATE INDEX idempotency_age ON idempotency (account, answered_at);
  `,
];

/** An arbitrary number that no one else locks. */
const LOCK = 7_263_418;

/** Creates the schema and any missing tables. */
export function createTables(pool: Pool, schema: string): Promise<void> {
  return inTransaction(pool, async (client) => {
    await client.query('SELECT pg_advisory_xact_lock($1)', [LOCK]);
    await client.query(`CREATE SCHEMA IF NOT EXISTS ${schema}`);
    await client.query('CREATE TABLE IF NOT EXISTS steps (number integer PRIMARY KEY)');
    const { rows } = await client.query<{ number: number }>('SELECT number FROM steps');
    const done = new Set(rows.map(({ number }) => number));
    for (const [number, step] of STEPS.entries()) {
      if (done.has(number)) continue;
      await client.query(step);
      await client.query('INSERT INTO steps VALUES ($1)', [number]);
    }
  });
}
