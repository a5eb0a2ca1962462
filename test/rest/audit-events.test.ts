import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import { loadManagement } from '../../src/demo/management.js';
import { revokeApiKey } from '../../src/operations/keys/api-keys.js';
import { revokeOrganisationKeys } from '../../src/operations/organisations/organisations.js';
import { createSecretBox } from '../../src/secrets/secret-box.js';
import { admin } from '../support/admin.js';
import { createTenant, type Tenant } from '../support/seed.js';
import { createCaller, startApp, TEST_SECRET_KEY } from '../support/service.js';

let app: App;

beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.close());

const BOOKS = { integration_categories: ['ACCOUNTING'] };

/** Of its company one link is made. */
async function tenantWithLink(name: string): Promise<Tenant> {
  const tenant = await createTenant(app, name);
  const caller = await createCaller(app, tenant.organisationId);
  await caller.post('/v3/core/invite_links', { company_id: tenant.companyId, ...BOOKS });
  return tenant;
}

test('the audit trail says who did what with keys, secrets, links and companies, latest first', async () => {
  const acme = await createTenant(app, 'audit');
  const secrets = createSecretBox([Buffer.from(TEST_SECRET_KEY, 'base64')]);
  await loadManagement(app.database, secrets, acme.organisationId, true);
  const other = await createTenant(app, 'audit of others');
  const stranger = await createCaller(app, other.organisationId);
  const full = await createCaller(app, acme.organisationId);
  const limited = await createCaller(app, acme.organisationId, { companyIds: [acme.companyId] });
  const company = await full.post('/v3/core/invite_links', { company_name: 'Removed', ...BOOKS });
  const removedId = company.body.data.company.svc_id as number;
  // Noted once a day, however often it is done.
  for (let times = 0; times < 3; times += 1) {
    await full.get('/integrations');
    await full.get('/v3/core/webhooks');
    await limited.get('/integrations');
  }
  await limited.post('/v3/core/invite_links', { company_id: acme.companyId, ...BOOKS });
  expect((await full.remove(`/v3/core/companies/${removedId}`)).status).toBe(200);
  await revokeApiKey(admin.prisma, limited.keyId);
  await revokeApiKey(admin.prisma, limited.keyId);

  const { status, body } = await full.get('/v3/core/audit_events');
  expect(status).toBe(200);
  const told = body.data.map((one: any) => [one.event_type, one.key_id, one.svc_company_id, one.subject]);
  const link = expect.stringMatching(/^\d+$/);
  expect(told).toEqual([
    ['KEY_REVOKED', limited.keyId, null, 'test'],
    ['COMPANY_REMOVED', full.keyId, removedId, 'Removed'],
    ['LINK_MADE', limited.keyId, acme.companyId, link],
    ['KEY_USED', limited.keyId, null, '127.0.0.1'],
    ['SECRETS_READ', full.keyId, null, 'webhook headers'],
    ['SECRETS_READ', full.keyId, null, 'client secrets'],
    ['LINK_MADE', full.keyId, removedId, link],
    ['KEY_USED', full.keyId, null, '127.0.0.1'],
    ['KEY_MADE', limited.keyId, null, 'test'],
    ['KEY_MADE', full.keyId, null, 'test'],
  ]);
  expect(JSON.stringify(body)).not.toMatch(/demo token|secret"|svc_[0-9a-f]{12}_/);
  const own = (await stranger.get('/v3/core/audit_events')).body.data;
  expect(own.map((one: any) => one.event_type)).toEqual(['KEY_USED', 'KEY_MADE']);
});

test('is read page by page in both styles, of one company, and by id', async () => {
  const acme = await tenantWithLink('audit pages');
  const caller = await createCaller(app, acme.organisationId);
  const whole = (await caller.get('/v3/core/audit_events?limit=1000')).body.data;
  const walked = [];
  for (let next: string | null = ''; next !== null;) {
    const { body } = await caller.get(`/v3/core/audit_events?limit=3${next && `&next=${next}`}`);
    walked.push(...body.data);
    next = body.next;
  }
  expect(walked).toEqual(whole);
  const { body } = await caller.graphql(
    `{ auditEvents(companyId: ${acme.companyId}, first: 5) { totalCount nodes { id eventType svcId } } }`,
  );
  expect(body.data.auditEvents).toMatchObject({ totalCount: 1, nodes: [{ eventType: 'LINK_MADE' }] });
  const [{ id, svcId }] = body.data.auditEvents.nodes;
  const node = await caller.graphql(`{ node(id: "${id}") { ... on AuditEvent { svcId } } }`);
  expect(node.body.data.node).toEqual({ svcId });
  const refused = await caller.get('/v3/core/audit_events?next=rubbish');
  expect([refused.status, refused.body.error.code]).toEqual([400, 'invalid-cursor']);
});

test('a key of some companies sees what is about those', async () => {
  const acme = await tenantWithLink('audit of some');
  const limited = await createCaller(app, acme.organisationId, { companyIds: [acme.companyId] });
  const { data } = (await limited.get('/v3/core/audit_events')).body;
  expect(data.map((one: any) => [one.event_type, one.svc_company_id])).toEqual([
    ['LINK_MADE', acme.companyId],
  ]);
});

test('all keys of an organisation that are revoked together are noted, each once', async () => {
  const tenant = await createTenant(app, 'audit revoked');
  const keys = [
    await createCaller(app, tenant.organisationId),
    await createCaller(app, tenant.organisationId),
  ];
  expect(await revokeOrganisationKeys(admin.prisma, tenant.organisationId)).toBe(2);
  expect(await revokeOrganisationKeys(admin.prisma, tenant.organisationId)).toBe(0);
  const events = await admin.prisma.auditEvent.findMany({
    where: { svcOrganisationId: BigInt(tenant.organisationId), eventType: 'KEY_REVOKED' },
  });
  expect(events.map(({ keyId }) => keyId).sort()).toEqual(keys.map(({ keyId }) => keyId).sort());
});
