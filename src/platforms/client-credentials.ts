import type { Scope } from '../db/scope.js';
import type { TenantClient } from '../db/tenant-client.js';
import { AppError } from '../errors.js';
import type { SecretBox, SecretPlace } from '../secrets/secret-box.js';
import type { ClientCredentials } from './oauth.js';

/** Where the secret of an integration stands. */
export const clientSecretPlace = (integrationType: string, organisationId: number): SecretPlace => ({
  table: 'integrations',
  row: integrationType,
  column: 'client_secret',
  organisationId,
});

/** The organisation's app at a platform. Throws `conflict` where it has none, or has it switched off. */
export async function clientCredentials(
  client: TenantClient,
  secrets: SecretBox,
  scope: Scope,
  integrationType: string,
): Promise<ClientCredentials> {
  const row = await client.integration.findFirst({ where: { integrationType } });
  if (!row || row.clientId === null || row.clientSecret === null) {
    const message = `there are no credentials for ${integrationType} yet: add the integration`;
    throw new AppError('conflict', message, 'integrationType');
  }
  if (row.isDisabled) throw switchedOff(integrationType);
  const clientSecret = secrets.open(
    row.clientSecret,
    clientSecretPlace(integrationType, scope.organisationId),
  );
  return { clientId: row.clientId, clientSecret };
}

/** Throws `conflict` where the organisation has switched its app off, which lets good tokens be used no more. */
export async function requireEnabled(client: TenantClient, integrationType: string): Promise<void> {
  const row = await client.integration.findFirst({ where: { integrationType, isDisabled: true } });
  if (row) throw switchedOff(integrationType);
}

function switchedOff(integrationType: string): AppError {
  return new AppError('conflict', `the integration ${integrationType} is switched off`, 'integrationType');
}
