import type { Connector } from '../connectors/connector.js';
import type { Scope } from '../db/scope.js';
import type { TenantClient } from '../db/tenant-client.js';
import { AppError } from '../errors.js';
import type { SecretBox, SecretPlace } from '../secrets/secret-box.js';
import type { ClientCredentials } from './oauth.js';

/** Place of an integration's secret. */
export const clientSecretPlace = (integrationType: string, organisationId: number): SecretPlace => ({
  table: 'integrations',
  row: integrationType,
  column: 'client_secret',
  organisationId,
});

/** Place of the secret with which a platform signs its requests to us. */
export const hookSecretPlace = (integrationType: string, organisationId: number): SecretPlace => ({
  ...clientSecretPlace(integrationType, organisationId),
  column: 'hook_secret',
});

/** The organisation's app at a platform. Throws `conflict` if it has none or it is disabled. */
export async function clientCredentials(
  client: TenantClient,
  secrets: SecretBox,
  scope: Scope,
  integrationType: string,
): Promise<ClientCredentials> {
  const row = await client.integration.findFirst({ where: { integrationType } });
  if (!row || row.clientId === null || row.clientSecret === null) {
    throw noCredentials(integrationType);
  }
  if (row.isDisabled) throw switchedOff(integrationType);
  const clientSecret = secrets.open(
    row.clientSecret,
    clientSecretPlace(integrationType, scope.organisationId),
  );
  return { clientId: row.clientId, clientSecret, scopes: row.scopes };
}

/** Throws `conflict` if the organisation has no app at a platform that needs one, or it is disabled. */
export async function requireApp(
  client: TenantClient,
  { integrationType, access }: Pick<Connector, 'integrationType' | 'access'>,
): Promise<void> {
  const row = await client.integration.findFirst({ where: { integrationType } });
  if (!row || (needsApp(access) && (row.clientId === null || row.clientSecret === null))) {
    throw noCredentials(integrationType);
  }
  if (row.isDisabled) throw switchedOff(integrationType);
}

/** Whether an organisation registers an app at the platform, with an id and a secret. */
export const needsApp = ({ kind }: Connector['access']): boolean => kind === 'oauth';

/** Throws `conflict` if the organisation has disabled its app, after which even valid tokens may not be used. */
export async function requireEnabled(client: TenantClient, integrationType: string): Promise<void> {
  const row = await client.integration.findFirst({ where: { integrationType, isDisabled: true } });
  if (row) throw switchedOff(integrationType);
}

function noCredentials(integrationType: string): AppError {
  const message = `there are no credentials for ${integrationType} yet: add the integration`;
  return new AppError('conflict', message, 'integrationType');
}

function switchedOff(integrationType: string): AppError {
  return new AppError('conflict', `the integration ${integrationType} is switched off`, 'integrationType');
}
