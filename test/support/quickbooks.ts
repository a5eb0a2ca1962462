import type { App } from '../../src/app.js';
import { clientSecretPlace } from '../../src/platforms/client-credentials.js';
import { renewLimits } from '../../src/platforms/renew-limits.js';
import type { ConformancePlatform } from '../connectors/conformance.js';
import { CLIENT } from '../connectors/quickbooks-fake/identity.js';
import { admin } from './admin.js';
import { giveToken } from './platform.js';
import { testSecrets } from './sandbox.js';
import { createTenant, type Tenant } from './seed.js';

/** A company connected to one at QuickBooks, whose base currency is not known yet. */
export async function createQuickbooksTenant(
  app: App,
  name: string,
  platform: ConformancePlatform,
): Promise<Tenant> {
  const tenant = await createTenant(app, name, 'ACCOUNTING');
  const { organisationId, companyId, connectionId } = tenant;
  await admin.prisma.connection.updateMany({
    where: { svcId: BigInt(connectionId) },
    data: {
      integrationType: 'QUICKBOOKS',
      externalAccountId: platform.externalAccountId,
      baseCurrencyCode: null,
    },
  });
  await renewLimits(admin);
  await admin.prisma.company.updateMany({
    where: { svcId: BigInt(companyId) },
    data: { baseCurrencyCode: null },
  });
  await app.database.client(tenant.scope).integration.create({
    data: {
      svcOrganisationId: BigInt(organisationId),
      integrationType: 'QUICKBOOKS',
      clientId: CLIENT.id,
      clientSecret: testSecrets.seal(CLIENT.secret, clientSecretPlace('QUICKBOOKS', organisationId)),
    },
  });
  await giveToken(app, tenant, await platform.issueToken());
  return tenant;
}
