import { connectorFor } from '../../connectors/index.js';
import type { Connector, PlatformClient } from '../../connectors/connector.js';
import type { Context } from '../../context.js';
import { openPlatform } from '../../platforms/access.js';
import { keptPlace, reachOf } from '../../platforms/reach.js';
import type { Candidate } from './choose-connection.js';

/** Maximum wait for the connection's budget. */
const PATIENCE_MS = 5000;

/** A client for reads from a connection's platform while a caller waits. */
export function reachConnection(
  context: Context,
  svcCompanyId: number,
  connection: Candidate,
): { readonly connector: Connector; readonly platform: PlatformClient } {
  const { sql, client, secrets } = context;
  const { svcId: connectionId, integrationType, category, externalAccountId } = connection;
  const connector = connectorFor(integrationType, category);
  const reach = reachOf(context, integrationType, keptPlace(connection));
  const key = { svcCompanyId, connectionId };
  const platform = openPlatform(
    { sql, client, secrets, reach, connector, connection: key },
    externalAccountId,
    { use: 'write', patienceMs: PATIENCE_MS },
  );
  return { connector, platform };
}
