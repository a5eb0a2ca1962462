import { connectors } from '../connectors/index.js';
import type { Connector } from '../connectors/connector.js';
import type { TenantClient } from '../db/tenant-client.js';
import { needsApp } from '../platforms/client-credentials.js';
import type { OpenLink } from './find-link.js';

/** A platform that an end customer may connect, with its connections. */
export interface PlatformChoice {
  readonly connector: Connector;
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
  const [integrations, connections] = await Promise.all([
    client.integration.findMany({ where: { isDisabled: false } }),
    client.connection.findMany({
      where: { svcCompanyId: BigInt(link.svcCompanyId) },
      orderBy: { svcId: 'asc' },
    }),
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
      return { connector, connections: shown };
    });
}

/** An empty list allows everything. */
const isAllowed = (allowed: readonly string[], value: string): boolean =>
  allowed.length === 0 || allowed.includes(value);
