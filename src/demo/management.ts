import { randomBytes } from 'node:crypto';
import type { Database } from '../db/database.js';
import { organisationScope } from '../operations/organisations.js';
import { headersPlace } from '../operations/webhooks.js';
import { clientSecretPlace } from '../platforms/client-credentials.js';
import type { SecretBox } from '../secrets/secret-box.js';

/** Platforms of the demo organisation: one in use, one switched off. */
const INTEGRATIONS = [
  { integrationType: 'SVC_SANDBOX', isSvcIdentity: true, isDisabled: false },
  { integrationType: 'XERO', isSvcIdentity: false, isDisabled: true },
] as const;

const WEBHOOKS = [
  { name: 'New accounts', dataModels: ['ACCOUNTS'], operations: ['CREATE'] },
  {
    name: 'Payments',
    dataModels: ['BILL_PAYMENTS', 'INVOICE_PAYMENTS'],
    operations: ['CREATE', 'UPDATE', 'DELETE'],
  },
] as const;

/** Integrations, webhooks and an invite link of the demo organisation, where it has none yet. */
export async function loadDemoManagement(
  database: Database,
  secrets: SecretBox,
  organisationId: number,
): Promise<void> {
  const client = database.client(organisationScope(organisationId));
  if ((await client.integration.count()) > 0) return;
  const svcOrganisationId = BigInt(organisationId);
  for (const integration of INTEGRATIONS) {
    const place = clientSecretPlace(integration.integrationType, organisationId);
    await client.integration.create({
      data: {
        ...integration,
        svcOrganisationId,
        clientId: `demo-${integration.integrationType.toLowerCase()}`,
        clientSecret: secrets.seal('a demo secret', place),
      },
    });
  }
  for (const { name, dataModels, operations } of WEBHOOKS) {
    const id = randomBytes(12).toString('hex');
    const headers = JSON.stringify({ 'x-demo-token': 'a demo token' });
    await client.webhook.create({
      data: {
        id,
        svcOrganisationId,
        name,
        type: 'DATA_MODEL_CHANGES',
        dataModels: [...dataModels],
        operations: [...operations],
        url: 'https://subscriber.example/events',
        headers: secrets.seal(headers, headersPlace(id, organisationId)),
      },
    });
  }
  const company = await client.company.findFirst({ orderBy: { svcId: 'asc' } });
  if (!company) return;
  const owner = { svcOrganisationId, svcCompanyId: company.svcId };
  await client.inviteLink.create({
    data: {
      ...owner,
      inviteLinkId: randomBytes(16).toString('hex'),
      integrations: ['SVC_SANDBOX'],
      integrationCategories: ['ACCOUNTING'],
    },
  });
  await client.connection.updateMany({
    where: { svcCompanyId: company.svcId },
    data: { minuteCalls: 3, hourCalls: 41, dayCalls: 190 },
  });
  for (const activityType of ['COMPANY_CREATED', 'INVITE_LINK_CREATED', 'CONNECTION_CREATED']) {
    await client.activity.create({ data: { ...owner, activityType } });
  }
}
