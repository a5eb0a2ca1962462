import type { Database } from '../db/database.js';
import { organisationScope } from '../db/scope.js';
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
  if ((await client.integration.count()) > 0) return;
  const svcOrganisationId = BigInt(organisationId);
  const sealed = (integrationType: string, secret: string) =>
    secrets.seal(secret, clientSecretPlace(integrationType, organisationId));
  await client.integration.create({
    data: {
      svcOrganisationId,
      integrationType: INTEGRATION,
      isSvcIdentity: true,
      clientId: SHARED_CLIENT.clientId,
      clientSecret: sealed(INTEGRATION, SHARED_CLIENT.clientSecret),
    },
  });
  if (!isDemo) return;
  await client.integration.create({
    data: {
      svcOrganisationId,
      integrationType: 'XERO',
      isDisabled: true,
      clientId: 'demo-xero',
      clientSecret: sealed('XERO', 'a demo secret'),
    },
  });
  for (const { name, dataModels, operations } of WEBHOOKS) {
    const id = demoId(`${organisationId}/${name}`, 24);
    const headers = JSON.stringify({ 'x-demo-token': 'a demo token' });
    await client.webhook.create({
      data: {
        id,
        svcOrganisationId,
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
}

const FIELDS = [
  { dataModel: 'ITEMS', name: 'nature', path: 'Nature', type: 'TEXT' },
  { dataModel: 'CONTACTS', name: 'town', path: 'Addresses[0].Town', type: 'TEXT' },
  { dataModel: 'INVOICES', name: 'grand_total', path: 'GrandTotal.Amount', type: 'NUMBER' },
] as const;

/** Maps some of the platforms' raw values to fields, for an organisation without field mappings. */
export async function loadFieldMappings(database: Database, organisationId: number): Promise<void> {
  const client = database.client(organisationScope(organisationId));
  if ((await client.fieldMapping.count()) > 0) return;
  const owner = { svcOrganisationId: BigInt(organisationId), integrationType: INTEGRATION };
  for (const field of FIELDS) await client.fieldMapping.create({ data: { ...owner, ...field } });
}
