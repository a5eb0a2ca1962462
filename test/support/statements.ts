import type pg from 'pg';
import type { App } from '../../src/app.js';

export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/**
 * Collects every SQL statement on the app's pool while `work` runs: ours and Prisma's, alone, in pipelines and in
 * transactions, including `BEGIN` and `COMMIT`. Statements on other pools are not the app's; the occasional ones for
 * keys and limits depend on the clock, not on the work.
 */
export async function statementsOf(app: App, work: () => Promise<unknown>): Promise<Statement[]> {
  const statements: Statement[] = [];
  const { pool } = app.database;
  const watched = new Set<pg.PoolClient>();
  // Every path to PostgreSQL, including `pool.query`, acquires a connection.
  const watch = (client: pg.PoolClient) => {
    if (watched.has(client)) return;
    watched.add(client);
    const original = client.query.bind(client) as (...given: unknown[]) => unknown;
    client.query = ((first: unknown, ...more: unknown[]) => {
      const statement = statementOf(first, more[0]);
      if (!isOfCluster(statement) && !isOfCaller(statement)) statements.push(statement);
      return original(first, ...more);
    }) as typeof client.query;
  };
  pool.on('acquire', watch);
  try {
    await work();
  } finally {
    pool.off('acquire', watch);
    // Uncovers the method of the class.
    for (const client of watched) Reflect.deleteProperty(client, 'query');
  }
  return statements;
}

/** Statements that surround others on a cluster only, to tell its workers the scope (src/db/pool/cluster-scope.ts). */
const isOfCluster = ({ text }: Statement): boolean =>
  text.endsWith('/* of one statement */') || text.startsWith('SET LOCAL svc.');

const isOfCaller = ({ text }: Statement): boolean => /svc_(use_api_key|borrow_requests)\(/.test(text);

function statementOf(first: unknown, second: unknown): Statement {
  const { text, values } =
    typeof first === 'string' ? { text: first, values: second } : (first as pg.QueryConfig);
  return { text, values: Array.isArray(values) ? values : [] };
}
