import { connectorFor } from '../../connectors/index.js';
import type { Connector } from '../../connectors/connector.js';
import type { PlatformClient } from '../../connectors/platform.js';
import type { Context } from '../../context.js';
import { openPlatform } from '../../platforms/access.js';
import { requireEnabled } from '../../platforms/client-credentials.js';
import type { PlatformSession } from '../../platforms/credentials.js';
import { keptPlace, reachOf } from '../../platforms/reach.js';
import type { Candidate } from './choose-connection.js';

/** The share of a connection's budget for calls for which a caller waits, and how long it waits for a permit. */
export const CALLERS_BUDGET = { use: 'write', patienceMs: 5000 } as const;

type ReachedConnection = Omit<Candidate, 'status' | 'baseCurrencyCode'>;

/** A session to reach a connection's platform. Throws `conflict` if its integration is disabled. */
export async function sessionOf(
  context: Context,
  svcCompanyId: number,
  connection: ReachedConnection,
): Promise<PlatformSession> {
  const { client, secrets } = context;
  await requireEnabled(client, connection.integrationType);
  // A call to the platform continues after its caller has left; its permit is returned when the call has ended.
  const sql = context.sql.outlasting();
  const { svcId: connectionId, integrationType, category } = connection;
  const connector = connectorFor(integrationType, category);
  const reach = reachOf(context, integrationType, keptPlace(connection));
  return { sql, client, secrets, reach, connector, connection: { svcCompanyId, connectionId } };
}

/** A client for reads from a connection's platform while a caller waits. Throws `conflict` if its integration is disabled. */
export async function reachConnection(
  context: Context,
  svcCompanyId: number,
  connection: ReachedConnection,
): Promise<{ readonly connector: Connector; readonly platform: PlatformClient }> {
  const session = await sessionOf(context, svcCompanyId, connection);
  const platform = openPlatform(session, connection.externalAccountId, CALLERS_BUDGET);
  return { connector: session.connector, platform };
}
