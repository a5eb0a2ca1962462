import type { TenantClient } from '../db/tenant-client.js';
import type { TenantSql } from '../db/tenant-sql.js';
import type { Given, Opened } from '../connectors/access.js';
import type { Connector } from '../connectors/connector.js';
import { connectorFor } from '../connectors/index.js';
import { AppError } from '../errors.js';
import { endUnused } from '../platforms/end-access.js';
import { reachOf } from '../platforms/reach.js';
import type { Category } from '../records/define.js';
import { takeUnchosen, type LinkSelection } from './authorization-store.js';
import type { OpenLink } from './find-link.js';
import type { ConnectServices } from './services.js';

/** An access that a platform has granted. */
export interface GrantedAccess {
  readonly connector: Connector;
  readonly given: Given;
  readonly opened: Opened;
}

/** Dependencies for ending accesses at platforms. */
type EndingWays = Omit<ConnectServices, 'database'> & {
  readonly sql: TenantSql;
  readonly client: TenantClient;
};

/** Runs `work`. If the link has ended meanwhile (`not-found`), ends the access at its platform: nobody else would. */
export async function orRevoke<Result>(
  { database, ...services }: ConnectServices,
  { scope, svcCompanyId }: OpenLink,
  access: GrantedAccess,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof AppError && error.code === 'not-found') {
      const ways = { ...services, sql: database.sql(scope), client: database.client(scope) };
      await revoke(ways, svcCompanyId, access);
    }
    throw error;
  }
}

/** Ends the accesses of a link, or of all links of a company, whose accounts nobody can choose any more. */
export async function endUnchosen(ways: EndingWays, which: LinkSelection): Promise<void> {
  const taken = await takeUnchosen(ways, which);
  await Promise.all(
    taken.map(({ integrationType, category, ...access }) => {
      const connector = connectorFor(integrationType, category as Category);
      return revoke(ways, which.svcCompanyId, { ...access, connector });
    }),
  );
}

async function revoke(
  ways: EndingWays,
  svcCompanyId: number,
  { connector, given, opened }: GrantedAccess,
): Promise<void> {
  const tokens = { ...opened.tokens, keptBy: null, renewal: { accessToken: null } };
  await Promise.all(
    opened.accounts.map(({ externalAccountId, settings }) => {
      const all = { ...given.settings, ...opened.settings, ...settings };
      const reach = reachOf(ways, connector.integrationType, { address: given.address, settings: all });
      return endUnused({ ...ways, reach, connector, svcCompanyId, externalAccountId }, tokens, ways.log);
    }),
  );
}
