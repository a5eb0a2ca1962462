import type pg from 'pg';
import { commitError } from './database-error.js';
import type { Scope } from './scope.js';

/**
 * What a cluster needs for its workers to know the scope, too: they are told what `SET LOCAL` says, and nothing of what a
 * function sets, and only within a transaction that was begun. So there a statement outside a transaction gets one of its
 * own, in the same write.
 */

interface ClusterConnection {
  inTransaction: boolean;
  /** The scope that its transaction has told; null where none was told yet. */
  told: Scope | null;
  /** Through a pooler, whose sessions lack our settings. */
  readonly isPooled: boolean;
}

const connections = new WeakMap<pg.ClientBase, ClusterConnection>();

/** Said of each new connection of a pool that leads to a cluster. */
export const leadsToCluster = (
  client: pg.ClientBase,
  { isPooled }: Pick<ClusterConnection, 'isPooled'> = { isPooled: false },
): void => void connections.set(client, { inTransaction: false, told: null, isPooled });

/** Whether statements go to a cluster from there: a connection, or what says so of itself. */
export const isOfCluster = (runner: pg.ClientBase | { readonly isCluster: boolean }): boolean =>
  'isCluster' in runner ? runner.isCluster : connections.has(runner);

/** Of the session: only what is set for a transaction goes to the workers. */
export const CLUSTER_SETTINGS = { 'citus.propagate_set_commands': 'local' } as const;

/** What goes around a statement that is in no transaction. */
const BEGIN_ONE = 'BEGIN /* of one statement */';
const COMMIT_ONE = 'COMMIT /* of one statement */';

/** Sends what begins or ends a transaction. */
export async function control<Result>(
  client: pg.ClientBase,
  text: string,
  send: () => Promise<Result>,
): Promise<Result> {
  const connection = connections.get(client);
  if (connection && /^BEGIN\b/i.test(text)) Object.assign(connection, { inTransaction: true, told: null });
  if (connection && /^(COMMIT|ROLLBACK)\b(?! TO)/i.test(text)) connection.inTransaction = false;
  return send();
}

/** Runs a statement, on a cluster with the scope told before it. */
export function onCluster<Result>(
  client: pg.ClientBase,
  scope: Scope,
  run: () => Promise<Result>,
): Promise<Result> {
  const connection = connections.get(client);
  if (!connection) return run();
  if (!connection.inTransaction) return inItsOwn(client, scope, run, connection);
  // Its workers are told once a transaction: each time costs a way to every one of them.
  if (connection.told !== scope) {
    connection.told = scope;
    tell(client, scope, connection);
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
  tell(client, scope, connection);
  const result = run();
  // One that has failed is rolled back by this.
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

/** Each by itself, as a cluster hands on the whole text in which it stands. Whole numbers all: see `createScope`. */
function tell(
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

/** The statement after it fails for the same reason, and says so. */
const failsLater = (answer: Promise<unknown>): void => void answer.catch(() => undefined);
