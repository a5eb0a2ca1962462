import type { Database } from '../db/database.js';
import { organisationScope } from '../db/scope.js';
import type { TenantClient } from '../db/tenant-client.js';
import { webhookPlace } from '../events/sealed-webhook.js';
import { randomSecret } from '../events/signature.js';
import { clientSecretPlace } from '../platforms/client-credentials.js';
import type { SecretBox } from '../secrets/secret-box.js';
import { SHARED_CLIENT } from '../sandbox/index.js';
import { demoId } from './demo-id.js';
import { LISTENER_URL } from './listener.js';

/** The platform of the demo's connections. */
export const INTEGRATION = 'SVC_SANDBOX';

const WEBHOOKS = [
  { name: 'New accounts', dataModels: ['ACCOUNTS'], operations: ['CREATE'] },
  {
    name: 'Payments',
    dataModels: ['BILL_PAYMENTS', 'INVOICE_PAYMENTS'],
    operations: ['CREATE', 'UPDATE', 'DELETE'],
  },
] as const;

/** The sandbox's app; for the demo organisation also a disabled one, and webhooks. Keeps existing ones. */
export async function loadManagement(
  database: Database,
  secrets: SecretBox,
  organisationId: number,
  isDemo: boolean,
): Promise<void> {
  const client = database.client(organisationScope(organisationId));
  await loadIntegration(client, secrets, organisationId, {
    integrationType: INTEGRATION,
    isSvcIdentity: true,
    ...SHARED_CLIENT,
  });
  if (!isDemo) return;
  await loadIntegration(client, secrets, organisationId, {
    integrationType: 'XERO',
    isDisabled: true,
    clientId: 'demo-xero',
    clientSecret: 'a demo secret',
  });
  for (const webhook of WEBHOOKS) await loadWebhook(client, secrets, organisationId, webhook);
}

interface DemoIntegration {
  readonly integrationType: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly isDisabled?: boolean;
  readonly isSvcIdentity?: boolean;
}

async function loadIntegration(
  client: TenantClient,
  secrets: SecretBox,
  organisationId: number,
  integration: DemoIntegration,
): Promise<void> {
  const { integrationType, clientSecret } = integration;
  if ((await client.integration.count({ where: { integrationType } })) > 0) return;
  await client.integration.create({
    data: {
      ...integration,
      svcOrganisationId: BigInt(organisationId),
      clientSecret: secrets.seal(clientSecret, clientSecretPlace(integrationType, organisationId)),
    },
  });
}

async function loadWebhook(
  client: TenantClient,
  secrets: SecretBox,
  organisationId: number,
  { name, dataModels, operations }: (typeof WEBHOOKS)[number],
): Promise<void> {
  const id = demoId(`${organisationId}/${name}`, 24);
  if ((await client.webhook.count({ where: { id } })) > 0) return;
  const headers = JSON.stringify({ 'x-demo-token': 'a demo token' });
  await client.webhook.create({
    data: {
      id,
      svcOrganisationId: BigInt(organisationId),
      name,
      type: 'DATA_MODEL_CHANGES',
      dataModels: [...dataModels],
      operations: [...operations],
      url: LISTENER_URL,
      headers: secrets.seal(headers, webhookPlace(id, organisationId, 'headers')),
      secret: secrets.seal(randomSecret(), webhookPlace(id, organisationId, 'secret')),
      // Disabled until a receiver listens there.
      enabled: false,
    },
  });
}

const FIELDS = [
  { dataModel: 'ITEMS', name: 'nature', path: 'Nature', type: 'TEXT' },
  { dataModel: 'CONTACTS', name: 'town', path: 'Addresses[0].Town', type: 'TEXT' },
  { dataModel: 'INVOICES', name: 'grand_total', path: 'GrandTotal.Amount', type: 'NUMBER' },
] as const;

/** Maps some of the platforms' raw values to fields. Keeps existing mappings. */
export async function loadFieldMappings(database: Database, organisationId: number): Promise<void> {
  const client = database.client(organisationScope(organisationId));
  const owner = { svcOrganisationId: BigInt(organisationId), integrationType: INTEGRATION };
  for (const field of FIELDS) {
    const { dataModel, name } = field;
    if ((await client.fieldMapping.count({ where: { dataModel, name } })) > 0) continue;
    await client.fieldMapping.create({ data: { ...owner, ...field } });
  }
}
