import type pg from 'pg';
import { commitError } from '../database-error.js';
import type { Scope } from '../scope.js';
import type { Nodes } from './nodes.js';

/**
 * Passes the scope to a cluster's workers. A cluster forwards only `SET LOCAL`, not settings made by functions, and
 * only within an explicit transaction. So on a cluster a statement outside a transaction gets one of its own, in the
 * same write.
 */

interface ClusterConnection {
  inTransaction: boolean;
  /** The scope set in its transaction; null if not set yet. */
  sentScope: Scope | null;
  /** Connected through a pooler, whose sessions lack our settings. */
  readonly isPooled: boolean;
}

const connections = new WeakMap<pg.ClientBase, ClusterConnection>();

/** Marks each new connection of a pool that leads to a cluster. */
export const leadsToCluster = (
  client: pg.ClientBase,
  { isPooled }: Pick<ClusterConnection, 'isPooled'> = { isPooled: false },
): void => void connections.set(client, { inTransaction: false, sentScope: null, isPooled });

/** Whether statements of the runner go to a cluster. */
export const isOfCluster = (runner: pg.ClientBase | { readonly nodes: Nodes | null }): boolean =>
  'nodes' in runner ? runner.nodes !== null : connections.has(runner);

/** Session settings: only those set in a transaction are forwarded to the workers. */
export const CLUSTER_SETTINGS = { 'citus.propagate_set_commands': 'local' } as const;

/** Wraps a statement that is outside a transaction. */
const BEGIN_ONE = 'BEGIN /* of one statement */';
const COMMIT_ONE = 'COMMIT /* of one statement */';

/** Sends a statement that begins or ends a transaction. */
export async function control<Result>(
  client: pg.ClientBase,
  text: string,
  send: () => Promise<Result>,
): Promise<Result> {
  const connection = connections.get(client);
  if (connection && /^BEGIN\b/i.test(text))
    Object.assign(connection, { inTransaction: true, sentScope: null });
  if (connection && /^(COMMIT|ROLLBACK)\b(?! TO)/i.test(text)) connection.inTransaction = false;
  return send();
}

/** Runs a statement; on a cluster, sets the scope first. */
export function onCluster<Result>(
  client: pg.ClientBase,
  scope: Scope,
  run: () => Promise<Result>,
): Promise<Result> {
  const connection = connections.get(client);
  if (!connection) return run();
  if (!connection.inTransaction) return inItsOwn(client, scope, run, connection);
  // Set once per transaction: each time costs a round trip to every worker.
  if (connection.sentScope !== scope) {
    connection.sentScope = scope;
    sendScope(client, scope, connection);
  }
  return run();
}

async function inItsOwn<Result>(
  client: pg.ClientBase,
  scope: Scope,
  run: () => Promise<Result>,
  connection: ClusterConnection,
): Promise<Result> {
  failsLater(client.query(BEGIN_ONE));
  sendScope(client, scope, connection);
  const result = run();
  // For a failed transaction this rolls back.
  const commit = client.query(COMMIT_ONE);
  failsLater(commit);
  const answer = await result.catch(async (error: unknown) => {
    await commit.catch(() => undefined);
    throw error;
  });
  await commit.catch((error: Error) => {
    throw commitError(error, 'COMMIT');
  });
  return answer;
}

/**
 * Sent one by one, as a cluster forwards the whole text that contains a setting. All are integers: see `createScope`.
 */
function sendScope(
  client: pg.ClientBase,
  { organisationId, companyIds }: Scope,
  { isPooled }: ClusterConnection,
): void {
  if (isPooled)
    for (const [name, value] of Object.entries(CLUSTER_SETTINGS))
      failsLater(client.query(`SET LOCAL ${name} = '${value}'`));
  failsLater(client.query(`SET LOCAL svc.organisation = '${organisationId}'`));
  if (companyIds) failsLater(client.query(`SET LOCAL svc.companies = '{${companyIds.join(',')}}'`));
}

/** The next statement fails with the same error and reports it. */
const failsLater = (answer: Promise<unknown>): void => void answer.catch(() => undefined);
