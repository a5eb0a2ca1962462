import type { Context } from '../../context.js';
import { hasHooks } from '../../connectors/index.js';
import type { IntegrationModel } from '../../db/__generated__/models.js';
import { clientSecretPlace, hookSecretPlace } from '../../platforms/client-credentials.js';
import { pageOfAll } from '../../query/pages/complete-list.js';
import type { CountedConnection } from '../../query/pages/connection.js';
import type { PageArguments } from '../../query/pages/page.js';
import { noteSecretsRead } from '../audit/note-event.js';
import { isForWholeOrganisation } from '../keys/require-scope.js';
import { MASKED, type SecretPlace } from '../../secrets/secret-box.js';

type IntegrationSelection = 'ALL' | 'DISABLED' | 'ENABLED';

/** Reference 2.3, Integration. */
export interface ListedIntegration {
  readonly svcId: number;
  readonly integrationType: string;
  readonly clientId: string | null;
  readonly clientSecret: string | null;
  /** Null if the platform has no webhooks. */
  readonly hookUrl: string | null;
  readonly hookSecret: string | null;
  readonly scopes: readonly string[];
  /** Number of active connections. */
  readonly count: number;
  readonly isDisabled: boolean;
  readonly isSvcIdentity: boolean;
  readonly svcCreatedAt: string;
  readonly svcUpdatedAt: string;
}

export interface IntegrationConnection extends CountedConnection<ListedIntegration> {
  readonly disabledIntegrations: number;
  readonly enabledIntegrations: number;
}

interface IntegrationArguments extends PageArguments {
  readonly type?: IntegrationSelection | null | undefined;
}

/** The organisation's integrations, oldest first. The two counters do not depend on the selection. */
export async function listIntegrations(
  context: Context,
  args: IntegrationArguments,
): Promise<IntegrationConnection> {
  const all = await allIntegrations(context);
  const type = args.type ?? 'ALL';
  const wanted = all
    .filter(({ isDisabled }) => type === 'ALL' || isDisabled === (type === 'DISABLED'))
    .map((node) => ({ id: String(node.svcId), node }));
  const disabledIntegrations = all.filter(({ isDisabled }) => isDisabled).length;
  return {
    ...pageOfAll('integrations', wanted, args, { limits: context.limits, nested: false }),
    disabledIntegrations,
    enabledIntegrations: all.length - disabledIntegrations,
  };
}

/** All of them, oldest first: at most one per platform. */
export async function allIntegrations(context: Context): Promise<ListedIntegration[]> {
  const [rows, counts] = await Promise.all([
    context.client.integration.findMany({ orderBy: { svcId: 'asc' } }),
    liveConnections(context, {}),
  ]);
  if (rows.length > 0 && areSecretsShown(context)) await noteSecretsRead(context, 'client secrets');
  return rows.map((row) => present(context, row, counts));
}

/** One integration; null when this organisation has none of that id. */
export async function getIntegration(context: Context, svcId: number): Promise<ListedIntegration | null> {
  const row = await context.client.integration.findFirst({ where: { svcId: BigInt(svcId) } });
  if (!row) return null;
  const { integrationType } = row;
  if (areSecretsShown(context)) await noteSecretsRead(context, 'client secrets');
  return present(context, row, await liveConnections(context, { integrationType }));
}

/** Number of active connections by integration type. */
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

const areSecretsShown = (context: Context): boolean =>
  context.principal.scopes.has('integrations:secrets') && isForWholeOrganisation(context);

function present(
  context: Context,
  row: IntegrationModel,
  counts: ReadonlyMap<string, number>,
): ListedIntegration {
  const { integrationType, clientSecret, hookSecret, hookToken } = row;
  const organisationId = Number(row.svcOrganisationId);
  const shown = areSecretsShown(context);
  const secretOf = (sealed: string | null, place: SecretPlace) =>
    sealed === null ? null : shown ? context.secrets.open(sealed, place) : MASKED;
  return {
    svcId: Number(row.svcId),
    integrationType,
    clientId: row.clientId,
    scopes: row.scopes,
    clientSecret: secretOf(clientSecret, clientSecretPlace(integrationType, organisationId)),
    hookUrl: hasHooks(integrationType) ? `${context.publicUrl}/hooks/${hookToken}` : null,
    hookSecret: secretOf(hookSecret, hookSecretPlace(integrationType, organisationId)),
    count: counts.get(integrationType) ?? 0,
    isDisabled: row.isDisabled,
    isSvcIdentity: row.isSvcIdentity,
    svcCreatedAt: row.svcCreatedAt.toISOString(),
    svcUpdatedAt: row.svcUpdatedAt.toISOString(),
  };
}
