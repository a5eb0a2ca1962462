import pg from 'pg';
import { ownRelations } from '../own-relations.js';

const { escapeIdentifier } = pg;

const ALL = ['SELECT', 'INSERT', 'UPDATE', 'DELETE'] as const;
type Privilege = (typeof ALL)[number];

/** Tables on which requests and jobs have fewer rights than reading and writing rows. */
const LESS: Readonly<Record<string, readonly Privilege[]>> = {
  // Looked up by hash in a function; created and revoked by commands, as the owner.
  'public.api_keys': [],
  'public.organisations': ['SELECT'],
  // Lent by functions.
  'public.request_budgets': [],
  'public.live_subscriptions': [],
  'public._prisma_migrations': [],
  // Managed by operator commands.
  'public.data_users': [],
  // Read at start.
  'public.secret_canaries': [],
  // Audit entries are append-only.
  'public.audit_events': ['SELECT', 'INSERT'],
  // The change log is append-only; a function deletes it with its company.
  'public.record_changes': ['SELECT', 'INSERT'],
  'graphile_worker.migrations': ['SELECT'],
  // Jobs are added by a function, which sets their owner.
  'graphile_worker._private_jobs': ['SELECT', 'UPDATE', 'DELETE'],
  'graphile_worker.jobs': ['SELECT'],
};

/** Schemas of the service's tables and of its queue. */
const SCHEMAS = ['public', 'graphile_worker'];

/** Whether relation `c` in schema `n` is the service's: of the queue, or named in $3 and so not the operator's. */
const IS_OURS = `(n.nspname <> 'public' OR c.relname = ANY($3))`;

interface Relation {
  readonly name: string;
  readonly text: string;
  readonly held: readonly string[];
}

/**
 * Grants a role exactly the rights on tables that requests and jobs need; sends no statement if it has exactly those.
 * Partitions are accessed through their table, whose row-level security applies.
 */
export async function grantRights(client: pg.Client, role: string): Promise<void> {
  const names = ownRelations();
  const statements = [
    ...(await tableRights(client, role, names)),
    ...(await otherRights(client, role, names)),
  ];
  if (statements.length > 0) await client.query(statements.join(';\n'));
}

async function tableRights(client: pg.Client, role: string, names: readonly string[]): Promise<string[]> {
  const { rows } = await client.query<Relation>(
    `SELECT n.nspname || '.' || c.relname AS name, format('%I.%I', n.nspname, c.relname) AS text,
       ARRAY(SELECT a.privilege_type FROM aclexplode(c.relacl) a WHERE a.grantee = r.oid) AS held
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace, pg_roles r
     WHERE r.rolname = $1 AND n.nspname = ANY($2) AND c.relkind IN ('r', 'p', 'v')
       AND (${IS_OURS} OR EXISTS (
         SELECT FROM pg_class o WHERE o.oid = pg_partition_root(c.oid) AND o.relname = ANY($3)
           AND o.relnamespace = 'public'::regnamespace))
     ORDER BY 1`,
    [role, SCHEMAS, names],
  );
  const partitions = await partitionNames(client);
  return rows.flatMap(({ name, text, held }) => {
    const wanted = partitions.has(name) ? [] : (LESS[name] ?? ALL);
    const lacking = wanted.filter((privilege) => !held.includes(privilege));
    const extra = held.filter((privilege) => !wanted.some((one) => one === privilege));
    return [
      ...(lacking.length > 0 ? [`GRANT ${lacking.join(', ')} ON ${text} TO ${escapeIdentifier(role)}`] : []),
      ...(extra.length > 0 ? [`REVOKE ${extra.join(', ')} ON ${text} FROM ${escapeIdentifier(role)}`] : []),
    ];
  });
}

async function partitionNames(client: pg.Client): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT n.nspname || '.' || c.relname AS name
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.relispartition`,
  );
  return new Set(rows.map(({ name }) => name));
}

/** Rights on schemas, sequences, the named functions, and the queue's tables, whose row-level security denies all. */
async function otherRights(client: pg.Client, role: string, names: readonly string[]): Promise<string[]> {
  const { rows } = await client.query<{ text: string }>(
    `SELECT format('GRANT USAGE ON SCHEMA %I TO %I', n.nspname, $1::text) AS text
     FROM pg_namespace n WHERE n.nspname = ANY($2) AND NOT has_schema_privilege($1::name, n.oid, 'USAGE')
     UNION ALL
     SELECT format('GRANT CONNECT ON DATABASE %I TO %I', current_database(), $1::text)
     WHERE NOT has_database_privilege($1::name, current_database(), 'CONNECT')
     UNION ALL
     SELECT format('GRANT USAGE ON SEQUENCE %s TO %I', c.oid::regclass, $1::text)
     FROM pg_sequence q JOIN pg_class c ON c.oid = q.seqrelid JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = ANY($2) AND ${IS_OURS} AND NOT has_sequence_privilege($1::name, q.seqrelid, 'USAGE')
     UNION ALL
     SELECT format('GRANT EXECUTE ON FUNCTION %s TO %I', p.oid::regprocedure, $1::text)
     FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace
     WHERE n.nspname = 'public' AND p.prosecdef AND starts_with(p.proname, 'svc_')
       AND NOT has_function_privilege($1::name, p.oid, 'EXECUTE')
     UNION ALL
     SELECT format('REVOKE EXECUTE ON FUNCTION %s FROM %I', p.oid::regprocedure, $1::text)
     FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace, aclexplode(p.proacl) a, pg_roles r
     WHERE n.nspname = 'public' AND NOT p.prosecdef AND a.grantee = r.oid AND r.rolname = $1
     UNION ALL
     SELECT format('CREATE POLICY svc_queue ON %s USING (true)', c.oid::regclass)
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = 'graphile_worker' AND c.relkind = 'r' AND c.relrowsecurity
       AND NOT EXISTS (SELECT FROM pg_policy o WHERE o.polrelid = c.oid)`,
    [role, SCHEMAS, names],
  );
  return rows.map(({ text }) => text);
}
