import { connectorFor } from '../connectors/index.js';
import type { Connector } from '../connectors/connector.js';
import type { CallOutcome, PlatformAccess } from '../connectors/platform-access.js';
import type { PlatformClient } from '../connectors/platform.js';
import type { Database } from '../db/database.js';
import type { TenantSql } from '../db/tenant-sql.js';
import { AppError } from '../errors.js';
import type { Category } from '../records/define.js';
import type { SecretBox } from '../secrets/secret-box.js';
import { holdPlatform } from './access.js';
import type { BudgetOptions, ConnectionKey } from './budget.js';
import { requireApp } from './client-credentials.js';
import { keptPlace, type PlatformWays, reachOf } from './reach.js';

/** Dependencies of workers for reaching platforms. */
export interface PlatformServices extends PlatformWays {
  readonly database: Database;
  readonly secrets: SecretBox;
  /** Replaces the connection's own tokens and budget, for a caller with a token (`npm run pull`). */
  readonly access?: PlatformAccess;
}

interface WantedPlatform extends ConnectionKey {
  readonly integrationType: string;
  readonly category: Category;
}

/** A connection that a worker reads or writes. */
export interface OpenConnection {
  readonly connector: Connector;
  readonly platform: PlatformClient;
  /** Its account's base currency. */
  readonly baseCurrency: string | null;
  /** Returns the calls of its budget that this process still holds, so that others need not wait for them. */
  readonly release: () => Promise<void>;
}

/**
 * Opens the connection of a job. Throws `connection-expired` if it is not healthy, and `conflict` if the organisation's
 * app is disabled, even if its tokens are still valid.
 */
export async function openConnection(
  { database, secrets, access, ...ways }: PlatformServices,
  sql: TenantSql,
  { svcCompanyId, connectionId, integrationType, category }: WantedPlatform,
  { onAnswer, ...budget }: BudgetOptions & { readonly onAnswer?: (outcome: CallOutcome) => void },
): Promise<OpenConnection> {
  const client = database.client(sql.scope);
  const connector = connectorFor(integrationType, category);
  const connection = await client.connection.findFirstOrThrow({
    where: { svcCompanyId: BigInt(svcCompanyId), svcId: BigInt(connectionId) },
  });
  if (connection.status !== 'HEALTHY') {
    const message = `the connection is ${connection.status}: the company has to connect it again`;
    throw new AppError('connection-expired', message);
  }
  const { baseCurrencyCode: baseCurrency } = connection;
  if (access) {
    return {
      connector,
      platform: connector.createClient(access),
      baseCurrency,
      release: () => Promise.resolve(),
    };
  }
  await requireApp(client, connector);
  const reach = reachOf(ways, integrationType, keptPlace(connection));
  const session = { sql, client, connector, secrets, reach, connection: { svcCompanyId, connectionId } };
  const { platform, release } = holdPlatform(session, connection.externalAccountId, budget, onAnswer);
  return { connector, platform, baseCurrency, release };
}
