import { databaseTime } from '../../db/clock.js';
import type { Context } from '../../context.js';
import { connectorsOf } from '../../connectors/index.js';
import { differs } from '../../db/differs.js';
import { AppError, invalid } from '../../errors.js';
import { clientSecretPlace } from '../../platforms/client-credentials.js';
import { parseText } from '../../values.js';
import { getIntegration, type ListedIntegration } from './integrations.js';
import { requireScope, requireWholeOrganisation } from '../keys/require-scope.js';

interface NewIntegration {
  readonly integrationType: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly isSvcIdentity?: boolean | null | undefined;
}

/** Adds the organisation's app at a platform. Throws `invalid-params`, `conflict` where it has one already. */
export async function createIntegration(context: Context, input: NewIntegration): Promise<ListedIntegration> {
  requireScope(context, 'integrations:secrets', 'add integrations');
  requireWholeOrganisation(context, 'add integrations');
  const integrationType = parseText(input.integrationType, 'integrationType');
  connectorsOf(integrationType);
  const [made] = await context.client.integration.createManyAndReturn({
    data: {
      svcOrganisationId: BigInt(context.sql.scope.organisationId),
      integrationType,
      clientId: parseCredential(input.clientId, 'clientId'),
      clientSecret: sealed(context, integrationType, input.clientSecret),
      isSvcIdentity: input.isSvcIdentity ?? false,
    },
    // Two may add it at once: the table decides, not a look before.
    skipDuplicates: true,
  });
  if (made) return requireIntegration(context, Number(made.svcId));
  const message = `there is an integration for ${integrationType} already: change that one`;
  throw new AppError('conflict', message, 'integrationType');
}

interface IntegrationChanges {
  readonly svcId: number;
  readonly clientId?: string | null | undefined;
  readonly clientSecret?: string | null | undefined;
  readonly isDisabled?: boolean | null | undefined;
  readonly isSvcIdentity?: boolean | null | undefined;
}

/** Changes an app; what is absent or null stays. Throws `not-found`, `invalid-params`. */
export async function updateIntegration(
  context: Context,
  changes: IntegrationChanges,
): Promise<ListedIntegration> {
  const { svcId, clientId, clientSecret, isDisabled, isSvcIdentity } = changes;
  const isSecret = clientId != null || clientSecret != null;
  requireScope(context, isSecret ? 'integrations:secrets' : 'write', 'change integrations');
  requireWholeOrganisation(context, 'change integrations');
  const where = { svcId: BigInt(svcId) };
  const known = await context.client.integration.findFirst({ where });
  if (!known) throw absent();
  const data = {
    ...(clientId == null ? {} : { clientId: parseCredential(clientId, 'clientId') }),
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
  return requireIntegration(context, svcId);
}

async function requireIntegration(context: Context, svcId: number): Promise<ListedIntegration> {
  const found = await getIntegration(context, svcId);
  if (!found) throw absent();
  return found;
}

const absent = () => new AppError('not-found', 'there is no such integration', 'svcId');

function sealed({ secrets, sql }: Context, integrationType: string, clientSecret: string): string {
  const place = clientSecretPlace(integrationType, sql.scope.organisationId);
  return secrets.seal(parseCredential(clientSecret, 'clientSecret'), place);
}

const LONGEST_CREDENTIAL = 2000;

/** Travels in headers and forms to the platform: no control characters, no spaces around it. */
function parseCredential(value: string, field: string): string {
  const text = parseText(value, field).trim();
  if (text.length >= 1 && text.length <= LONGEST_CREDENTIAL && !/\p{Cc}/u.test(text)) return text;
  throw invalid(field, `must be one line of 1 to ${LONGEST_CREDENTIAL} characters`);
}
