import type { OpenLink } from '../../connect/find-link.js';
import type { ConnectServices } from '../../connect/services.js';
import { findConnector } from '../../connectors/index.js';
import type { Context } from '../../context.js';
import type { TenantSql } from '../../db/tenant-sql.js';
import { AppError } from '../../errors.js';
import { endAtPlatform, type TakenTokens, takeTokens } from '../../platforms/end-access.js';
import { pastRenewals } from '../../platforms/past-renewals.js';
import { keptPlace, reachOf } from '../../platforms/reach.js';
import { noteConnectionActivity } from '../../platforms/activities.js';
import { type ConnectedPlatform, listConnections } from '../../loaders/connections.js';
import { noteConnection } from '../../outbox/note-connection.js';
import { takeBackUploads } from '../../runs/lease.js';
import { noteEnds } from '../../runs/note-ends.js';
import { endOpenSyncs, forgetSeen } from '../../sync/state/end-syncs.js';
import { requireScope } from '../keys/require-scope.js';

interface DisconnectResult {
  readonly connection: ConnectedPlatform | null;
  readonly wasPlatformTold: boolean;
}

/** Ends a connection's access at its platform; keeps its data. Throws `not-found`. */
export async function disconnectConnection(
  context: Context,
  connectionId: number,
): Promise<DisconnectResult> {
  requireScope(context, 'write', 'end connections');
  const row = await context.client.connection.findFirst({ where: { svcId: BigInt(connectionId) } });
  if (!row) throw new AppError('not-found', 'there is no such connection', 'connectionId');
  const svcCompanyId = Number(row.svcCompanyId);
  const [wasPlatformTold = false] = await endConnections(context, svcCompanyId, [
    { ...row, svcId: connectionId },
  ]);
  const found = await listConnections(context.client, [svcCompanyId]);
  return { connection: found.find(({ svcId }) => svcId === connectionId) ?? null, wasPlatformTold };
}

/** The same for an end customer with the company's link. */
export async function disconnectByLink(
  { database, ...services }: ConnectServices,
  { scope, svcCompanyId }: OpenLink,
  connectionId: number,
): Promise<void> {
  const context = { ...services, sql: database.sql(scope), client: database.client(scope) };
  const row = await context.client.connection.findFirst({
    where: { svcId: BigInt(connectionId), svcCompanyId: BigInt(svcCompanyId) },
  });
  if (!row) throw new AppError('not-found', 'there is no such connection', 'connectionId');
  await endConnections(context, svcCompanyId, [{ ...row, svcId: connectionId }]);
}

/** Context for ending connections: a caller's, or that of an end customer with the link. */
type EndingContext = Pick<Context, 'sql' | 'client' | 'secrets' | 'urls' | 'outbound'> & {
  readonly log: Pick<Context['log'], 'warn'>;
};

interface ConnectionToEnd {
  readonly svcId: number;
  readonly integrationType: string;
  readonly category: string;
  readonly externalAccountId: string;
  readonly address: string | null;
  readonly settings: unknown;
}

/**
 * Ends connections of a company: their syncs, running writes, their tokens here and then their grants at the platforms.
 * An unavailable platform does not prevent it. Returns for each whether its platform was told.
 */
export async function endConnections(
  context: EndingContext,
  svcCompanyId: number,
  connections: readonly ConnectionToEnd[],
): Promise<boolean[]> {
  const connectionIds = connections.map(({ svcId }) => svcId);
  const end = async (transaction: TenantSql) => {
    const reason = { code: 'connection-expired', message: 'the connection was ended' };
    const syncs = await endOpenSyncs(transaction, { svcCompanyId, connectionIds }, reason);
    await takeBackUploads(transaction, { svcCompanyId, connectionIds });
    const changed = await markDisconnected(transaction, svcCompanyId, connectionIds);
    const taken = await takeTokens(transaction, context.secrets, { svcCompanyId, connectionIds });
    const ended = syncs.map((svcId) => ({ svcCompanyId, svcId }));
    await noteEnds(transaction, 'sync', ended);
    for (const [connectionId, before] of changed) {
      await noteConnectionActivity(transaction, svcCompanyId, 'CONNECTION_DISCONNECTED');
      await noteConnection(transaction, { svcCompanyId, connectionId, before });
    }
    return { tokens: taken, syncs };
  };
  const { tokens, syncs } = await pastRenewals(() => context.sql.transaction(end));
  const revocations = connections.map((connection) =>
    tell(context, { ...connection, svcCompanyId }, tokens.get(connection.svcId)),
  );
  // Beside: only this process knows the tokens that end the grant. On a cluster they may be on a node that is away, which
  // must not prevent the end; they then go with their syncs.
  const forgotten = forgetSeen(context.sql, svcCompanyId, syncs).catch((error: unknown) =>
    context.log.warn({ err: error, svcCompanyId }, 'the ids that ended syncs have found are still stored'),
  );
  const answers = await Promise.all(revocations);
  await forgotten;
  return answers;
}

/** Returns the previous statuses of those not yet disconnected. */
async function markDisconnected(
  transaction: TenantSql,
  svcCompanyId: number,
  connectionIds: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const query = transaction.query();
  const rows = await transaction.rows<{ svcId: number; before: string }>(
    query,
    `WITH old AS (
       SELECT t.svc_company_id, t.svc_id, t.status FROM connections t
       WHERE ${query.within('t')} AND t.svc_company_id = ${query.bind(svcCompanyId)}
         AND t.svc_id = ANY(${query.bind(connectionIds)}::bigint[]) AND t.status <> 'DISCONNECTED'
       ORDER BY t.svc_id FOR NO KEY UPDATE
     )
     UPDATE connections t SET status = 'DISCONNECTED', sync_status = 'IDLE', sync_resume_at = NULL,
       svc_updated_at = now()
     FROM old WHERE ${query.within('t')} AND t.svc_company_id = old.svc_company_id AND t.svc_id = old.svc_id
     RETURNING t.svc_id AS "svcId", old.status AS before`,
  );
  return new Map(rows.map(({ svcId, before }) => [svcId, before]));
}

async function tell(
  context: EndingContext,
  connection: ConnectionToEnd & { readonly svcCompanyId: number },
  tokens: TakenTokens | undefined,
): Promise<boolean> {
  const { client, sql, secrets, log } = context;
  const { integrationType, externalAccountId, svcCompanyId } = connection;
  const connector = findConnector(connection);
  if (!tokens || !connector) return false;
  const reach = reachOf(context, integrationType, keptPlace(connection));
  const session = { client, sql, secrets, reach, connector, svcCompanyId, externalAccountId };
  return endAtPlatform(session, tokens, log);
}
