import type { Connector } from '../../connectors/connector.js';
import type { PlatformClient } from '../../connectors/platform.js';
import { nullIfRefused } from '../../connectors/client/platform-errors.js';
import type { TenantSql } from '../../db/tenant-sql.js';
import { noteBaseCurrency } from '../../platforms/base-currency.js';
import type { ConnectionKey } from '../../platforms/budget.js';

/**
 * The base currency of a connection that was created without one: read from the account and stored. Null if the
 * platform does not tell it, or cannot be asked.
 */
export async function learnBaseCurrency(
  sql: TenantSql,
  connection: ConnectionKey,
  connector: Connector,
  platform: PlatformClient,
): Promise<string | null> {
  const currency = await connector.readBaseCurrency?.(platform).catch(nullIfRefused);
  if (!currency) return null;
  await noteBaseCurrency(sql, connection, currency);
  return currency;
}
