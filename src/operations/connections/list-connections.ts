import type { Context } from '../../context.js';
import type { ConnectedPlatform } from '../../loaders/connections.js';
import { pageOfAll } from '../../query/pages/complete-list.js';
import type { CountedConnection } from '../../query/pages/connection.js';
import type { PageArguments } from '../../query/pages/page.js';

/** Connections to platforms, in pages. */
export type PlatformConnection = CountedConnection<ConnectedPlatform>;

/** The connections of a company, oldest first; the companies of one query share a statement. */
export async function listConnections(
  { loaders, limits }: Context,
  companyId: number,
  args: PageArguments,
): Promise<PlatformConnection> {
  const all = await loaders.connections().load(String(companyId));
  const elements = all.map((node) => ({ id: String(node.svcId), node }));
  return pageOfAll('connections', elements, args, { limits, nested: true });
}
