import { connectors } from '../connectors/index.js';
import type { Connector } from '../connectors/connector.js';
import type { TenantClient } from '../db/tenant-client.js';
import { needsApp } from '../platforms/client-credentials.js';
import type { OpenLink } from './find-link.js';

/** A platform that an end customer may connect, and whether it is. */
export interface PlatformChoice {
  readonly connector: Connector;
  /** Of the connections to it, the best state; null when there is none. */
  readonly status: string | null;
  /** The account that is connected, by the platform's name of it. */
  readonly accountName: string | null;
}

/** The platforms that the link allows and the organisation has an app for, or has switched on where none is needed. */
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
      const shown = own.find(({ status }) => status === 'HEALTHY') ?? own[own.length - 1];
      return { connector, status: shown?.status ?? null, accountName: shown?.accountName ?? null };
    });
}

/** An empty list allows everything. */
const isAllowed = (allowed: readonly string[], value: string): boolean =>
  allowed.length === 0 || allowed.includes(value);
