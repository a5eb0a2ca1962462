import type { Connector, PlatformClient } from '../connectors/connector.js';
import type { TenantSql } from '../db/tenant-sql.js';
import { AppError } from '../errors.js';
import { noteBaseCurrency } from '../platforms/base-currency.js';
import type { ConnectionKey } from '../platforms/budget.js';

/**
 * The base currency of a connection that did not tell it when it was made: the account is asked, and the answer kept.
 * Null where the platform does not say, or may not be asked.
 */
export async function learnBaseCurrency(
  sql: TenantSql,
  connection: ConnectionKey,
  connector: Connector,
  platform: PlatformClient,
): Promise<string | null> {
  const told = await connector.readBaseCurrency?.(platform).catch(nullWhereRefused);
  if (!told) return null;
  await noteBaseCurrency(sql, connection, told);
  return told;
}

function nullWhereRefused(error: unknown): null {
  if (error instanceof AppError && error.code === 'platform-refused') return null;
  throw error;
}
