import type { Context } from '../../context.js';
import type { IntegrationModel } from '../../db/__generated__/models.js';
import { clientSecretPlace } from '../../platforms/client-credentials.js';
import { MASKED } from '../../secrets/secret-box.js';

export type IntegrationSelection = 'ALL' | 'DISABLED' | 'ENABLED';

/** Reference 2.3, Integration. */
export interface ListedIntegration {
  readonly svcId: number;
  readonly integrationType: string;
  readonly clientId: string | null;
  readonly clientSecret: string | null;
  /** Live connections. */
  readonly count: number;
  readonly isDisabled: boolean;
  readonly isSvcIdentity: boolean;
  readonly svcCreatedAt: string;
  readonly svcUpdatedAt: string;
}

export interface IntegrationList {
  readonly nodes: readonly ListedIntegration[];
  readonly disabledIntegrations: number;
  readonly enabledIntegrations: number;
}

/** The organisation's integrations, oldest first. The two counters do not depend on the selection. */
export async function listIntegrations(
  context: Context,
  selection: IntegrationSelection,
): Promise<IntegrationList> {
  const [rows, counts] = await Promise.all([
    context.client.integration.findMany({ orderBy: { svcId: 'asc' } }),
    liveConnections(context, {}),
  ]);
  const disabledIntegrations = rows.filter(({ isDisabled }) => isDisabled).length;
  return {
    nodes: rows
      .filter(({ isDisabled }) => selection === 'ALL' || isDisabled === (selection === 'DISABLED'))
      .map((row) => present(context, row, counts)),
    disabledIntegrations,
    enabledIntegrations: rows.length - disabledIntegrations,
  };
}

/** One integration; null when this organisation has none of that id. */
export async function getIntegration(context: Context, svcId: number): Promise<ListedIntegration | null> {
  const row = await context.client.integration.findFirst({ where: { svcId: BigInt(svcId) } });
  if (!row) return null;
  const { integrationType } = row;
  return present(context, row, await liveConnections(context, { integrationType }));
}

/** How many live connections there are, by integration type. */
async function liveConnections(
  { client }: Context,
  where: { integrationType?: string },
): Promise<ReadonlyMap<string, number>> {
  const groups = await client.connection.groupBy({
    by: ['integrationType'],
    where: { ...where, status: 'HEALTHY' },
    _count: { _all: true },
  });
  return new Map(groups.map(({ integrationType, _count }) => [integrationType, _count._all]));
}

function present(
  context: Context,
  row: IntegrationModel,
  counts: ReadonlyMap<string, number>,
): ListedIntegration {
  const { integrationType, clientSecret } = row;
  const place = clientSecretPlace(integrationType, Number(row.svcOrganisationId));
  const shown = context.principal.scopes.has('integrations:secrets');
  return {
    svcId: Number(row.svcId),
    integrationType,
    clientId: row.clientId,
    clientSecret: clientSecret === null ? null : shown ? context.secrets.open(clientSecret, place) : MASKED,
    count: counts.get(integrationType) ?? 0,
    isDisabled: row.isDisabled,
    isSvcIdentity: row.isSvcIdentity,
    svcCreatedAt: row.svcCreatedAt.toISOString(),
    svcUpdatedAt: row.svcUpdatedAt.toISOString(),
  };
}
