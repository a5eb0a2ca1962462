import { createHmac } from 'node:crypto';
import type { App } from '../../src/app.js';
import { hookSecretPlace } from '../../src/platforms/client-credentials.js';
import { admin } from './admin.js';
import { testSecrets } from './fill-company.js';

const SECRET = 'the webhooks key';

/** An event that Xero sends when an object of an account has changed. */
export const xeroEvent = (tenantId: string, eventCategory: string, resourceId?: string): object => ({
  tenantId,
  eventCategory,
  eventType: 'UPDATE',
  ...(resourceId === undefined ? {} : { resourceId }),
});

/** Returns a function that sends events to an organisation as Xero does, after giving its app a webhooks key. */
export async function createXeroHook(
  organisationId: number,
): Promise<(app: App, events: readonly object[]) => Promise<Response>> {
  const key = { svcOrganisationId: BigInt(organisationId), integrationType: 'XERO' };
  const hookSecret = testSecrets.seal(SECRET, hookSecretPlace('XERO', organisationId));
  await admin.prisma.integration.createMany({ data: key, skipDuplicates: true });
  await admin.prisma.integration.updateMany({ where: key, data: { hookSecret } });
  const { hookToken } = await admin.prisma.integration.findFirstOrThrow({ where: key });
  return (app, events) => {
    const body = JSON.stringify({
      events,
      firstEventSequence: 1,
      lastEventSequence: 1,
      entropy: 'S0m3r4nd0m',
    });
    const signature = createHmac('sha256', SECRET).update(body).digest('base64');
    const headers = { 'content-type': 'application/json', 'x-xero-signature': signature };
    return fetch(`${app.url}/hooks/${hookToken}`, { method: 'POST', headers, body });
  };
}
