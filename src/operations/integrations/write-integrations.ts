import { databaseTime } from '../../db/clock.js';
import { afterStoring } from '../../db/database-error.js';
import type { Context } from '../../context.js';
import { connectorsOf, hasHooks } from '../../connectors/index.js';
import { differs } from '../../db/differs.js';
import { AppError, invalid } from '../../errors.js';
import { clientSecretPlace, hookSecretPlace, needsApp } from '../../platforms/client-credentials.js';
import { parseLine, parseText } from '../../base/values.js';
import { getIntegration, type ListedIntegration } from './integrations.js';
import { requireScope, requireWholeOrganisation } from '../keys/require-scope.js';

interface NewIntegration {
  readonly integrationType: string;
  readonly clientId?: string | null | undefined;
  readonly clientSecret?: string | null | undefined;
  readonly scopes?: readonly string[] | null | undefined;
  readonly isSvcIdentity?: boolean | null | undefined;
}

/** The app credentials of a new integration. */
type GivenApp = Pick<NewIntegration, 'clientId' | 'clientSecret' | 'scopes'>;

/** Throws if required app credentials are missing, or given for a platform without apps. */
function requireCredentials(integrationType: string, given: GivenApp): void {
  const isApp = connectorsOf(integrationType).some(({ access }) => needsApp(access));
  if (!isApp) return refuseCredentials(given);
  for (const name of ['clientId', 'clientSecret'] as const) {
    if (given[name] != null) continue;
    throw new AppError('missing-params', `${integrationType} is connected through an app of your own`, name);
  }
}

function refuseCredentials(given: GivenApp): void {
  for (const name of ['clientId', 'clientSecret', 'scopes'] as const) {
    if (given[name] != null) throw invalid(name, 'must be absent: this platform needs no app');
  }
}

/** Adds the organisation's app at a platform. Throws `invalid-params`, `conflict` if it already has one. */
export async function createIntegration(context: Context, input: NewIntegration): Promise<ListedIntegration> {
  requireScope(context, 'integrations:secrets', 'add integrations');
  requireWholeOrganisation(context, 'add integrations');
  const integrationType = parseText(input.integrationType, 'integrationType');
  requireCredentials(integrationType, input);
  const [made] = await context.client.integration.createManyAndReturn({
    data: {
      svcOrganisationId: BigInt(context.sql.scope.organisationId),
      integrationType,
      clientId: input.clientId == null ? null : parseCredential(input.clientId, 'clientId'),
      clientSecret:
        input.clientSecret == null ? null : sealSecret(context, integrationType, input.clientSecret),
      scopes: parseScopes(input.scopes ?? []),
      isSvcIdentity: input.isSvcIdentity ?? false,
    },
    // Two requests may add it concurrently: the table's constraint decides, not a prior check.
    skipDuplicates: true,
  });
  if (made) return afterStoring(requireIntegration(context, Number(made.svcId)));
  const message = `there is an integration for ${integrationType} already: change that one`;
  throw new AppError('conflict', message, 'integrationType');
}

interface IntegrationChanges {
  readonly svcId: number;
  readonly clientId?: string | null | undefined;
  readonly clientSecret?: string | null | undefined;
  readonly scopes?: readonly string[] | null | undefined;
  readonly hookSecret?: string | null | undefined;
  readonly isDisabled?: boolean | null | undefined;
  readonly isSvcIdentity?: boolean | null | undefined;
}

/** Changes an app; absent or null values stay. Throws `not-found`, `invalid-params`. */
export async function updateIntegration(
  context: Context,
  changes: IntegrationChanges,
): Promise<ListedIntegration> {
  const { svcId, clientId, clientSecret, hookSecret, scopes, isDisabled, isSvcIdentity } = changes;
  const isSecret = [clientId, clientSecret, hookSecret, scopes].some((one) => one != null);
  requireScope(context, isSecret ? 'integrations:secrets' : 'write', 'change integrations');
  requireWholeOrganisation(context, 'change integrations');
  const where = { svcId: BigInt(svcId) };
  const known = await context.client.integration.findFirst({ where });
  if (!known) throw absent();
  if (!connectorsOf(known.integrationType).some(({ access }) => needsApp(access))) refuseCredentials(changes);
  const data = {
    ...(clientId == null ? {} : { clientId: parseCredential(clientId, 'clientId') }),
    ...(hookSecret == null ? {} : { hookSecret: sealedHook(context, known.integrationType, hookSecret) }),
    ...(scopes == null ? {} : { scopes: parseScopes(scopes) }),
    ...(isDisabled == null ? {} : { isDisabled }),
    ...(isSvcIdentity == null ? {} : { isSvcIdentity }),
  };
  const secret = clientSecret == null ? null : parseCredential(clientSecret, 'clientSecret');
  const place = clientSecretPlace(known.integrationType, context.sql.scope.organisationId);
  const current = known.clientSecret === null ? null : context.secrets.open(known.clientSecret, place);
  const newSecret = current === secret ? null : secret;
  if (newSecret !== null || differs(known, data)) {
    const sealedSecret = newSecret === null ? {} : { clientSecret: context.secrets.seal(newSecret, place) };
    await context.client.integration.update({
      where,
      data: { ...data, ...sealedSecret, svcUpdatedAt: databaseTime() },
    });
  }
  return afterStoring(requireIntegration(context, svcId));
}

async function requireIntegration(context: Context, svcId: number): Promise<ListedIntegration> {
  const found = await getIntegration(context, svcId);
  if (!found) throw absent();
  return found;
}

const absent = () => new AppError('not-found', 'there is no such integration', 'svcId');

function sealSecret({ secrets, sql }: Context, integrationType: string, clientSecret: string): string {
  const place = clientSecretPlace(integrationType, sql.scope.organisationId);
  return secrets.seal(parseCredential(clientSecret, 'clientSecret'), place);
}

function sealedHook({ secrets, sql }: Context, integrationType: string, hookSecret: string): string {
  if (!hasHooks(integrationType))
    throw invalid('hookSecret', 'must be absent: this platform does not report changes');
  const place = hookSecretPlace(integrationType, sql.scope.organisationId);
  return secrets.seal(parseCredential(hookSecret, 'hookSecret'), place);
}

const MAX_CREDENTIAL = 2000;
const MAX_SCOPES = 100;

/** They are joined by the platform's separator. */
function parseScopes(scopes: readonly string[]): string[] {
  if (scopes.length > MAX_SCOPES) throw invalid('scopes', `must be ${MAX_SCOPES} at most`);
  return scopes.map((value, index) => {
    const text = parseText(value, ['scopes', index]);
    if (/^[\x21\x23-\x2b\x2d-\x5b\x5d-\x7e]{1,200}$/.test(text)) return text;
    throw invalid(['scopes', index], 'must be one scope, of 1 to 200 characters without spaces and commas');
  });
}

/** Sent to the platform in headers and forms: no control characters, no surrounding spaces. */
const parseCredential = (value: string, field: string): string => parseLine(value, field, MAX_CREDENTIAL);
