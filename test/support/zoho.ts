import type { App } from '../../src/app.js';
import { clientSecretPlace } from '../../src/platforms/client-credentials.js';
import { renewLimits } from '../../src/platforms/renew-limits.js';
import type { ConformancePlatform } from '../connectors/conformance.js';
import { CLIENT } from '../connectors/zoho-fake/identity.js';
import { admin } from './admin.js';
import { giveToken } from './platform.js';
import { testSecrets } from './sandbox.js';
import { createTenant, type Tenant } from './seed.js';

/** A company connected to an organization at Zoho Books. */
export async function createZohoTenant(
  app: App,
  name: string,
  platform: ConformancePlatform,
): Promise<Tenant> {
  const tenant = await createTenant(app, name, 'ACCOUNTING');
  const { organisationId, connectionId } = tenant;
  await admin.prisma.connection.updateMany({
    where: { svcId: BigInt(connectionId) },
    data: { integrationType: 'ZOHO_BOOKS', externalAccountId: platform.externalAccountId },
  });
  await renewLimits(admin);
  await app.database.client(tenant.scope).integration.create({
    data: {
      svcOrganisationId: BigInt(organisationId),
      integrationType: 'ZOHO_BOOKS',
      clientId: CLIENT.id,
      clientSecret: testSecrets.seal(CLIENT.secret, clientSecretPlace('ZOHO_BOOKS', organisationId)),
    },
  });
  await giveToken(app, tenant, await platform.issueToken());
  return tenant;
}
