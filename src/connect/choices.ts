import { connectors } from '../connectors/index.js';
import type { Connector } from '../connectors/connector.js';
import type { TenantClient } from '../db/tenant-client.js';
import { needsApp } from '../platforms/client-credentials.js';
import { accessOf, type ScopeAccess } from '../platforms/scope-access.js';
import type { OpenLink } from './find-link.js';

/** A platform that an end customer may connect, with its connections. */
export interface PlatformChoice {
  readonly connector: Connector;
  /** Access permitted by the company, by record type; an absent record type is fully permitted. */
  readonly access: ReadonlyMap<string, ScopeAccess>;
  /** Active connections and those that can be reconnected, oldest first. */
  readonly connections: readonly ShownConnection[];
}

/** A connection, as an end customer sees it. */
export interface ShownConnection {
  readonly connectionId: number;
  readonly status: string;
  readonly externalAccountId: string;
  /** The platform's name of the account. */
  readonly accountName: string | null;
}

/** Platforms that the link allows and for which the organisation has an app, or has enabled if they need none. */
export async function platformChoices(client: TenantClient, link: OpenLink): Promise<PlatformChoice[]> {
  const svcCompanyId = BigInt(link.svcCompanyId);
  const [integrations, connections, settings] = await Promise.all([
    client.integration.findMany({ where: { isDisabled: false } }),
    client.connection.findMany({
      where: { svcCompanyId },
      orderBy: { svcId: 'asc' },
    }),
    client.syncConfig.findMany({ where: { svcCompanyId } }),
  ]);
  const apps = new Map(integrations.map(({ integrationType, clientId }) => [integrationType, clientId]));
  const isUsable = ({ integrationType, access }: Connector) => {
    const clientId = apps.get(integrationType);
    return clientId !== undefined && (clientId !== null || !needsApp(access));
  };
  return connectors
    .filter((connector) => isUsable(connector) && isAllowed(link.integrations, connector.integrationType))
    .filter(({ category }) => isAllowed(link.integrationCategories, category))
    .map((connector) => {
      const own = connections.filter(
        ({ integrationType, category }) =>
          integrationType === connector.integrationType && category === connector.category,
      );
      const shown = own.map(({ svcId, status, externalAccountId, accountName }) => ({
        connectionId: Number(svcId),
        status,
        externalAccountId,
        accountName,
      }));
      const ofCategory = settings.filter(({ category }) => category === connector.category);
      const access = new Map(ofCategory.map((row) => [row.dataModel, accessOf(row)]));
      return { connector, access, connections: shown };
    });
}

/** An empty list allows everything. */
const isAllowed = (allowed: readonly string[], value: string): boolean =>
  allowed.length === 0 || allowed.includes(value);
