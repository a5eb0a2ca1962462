import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { App } from '../../../src/app.js';
import { authorizationPlace } from '../../../src/connect/authorization-store.js';
import { refuseOtherKeys, rotateSecrets } from '../../../src/operations/secrets/rotate-secrets.js';
import { webhookPlace } from '../../../src/events/sealed-webhook.js';
import { clientSecretPlace } from '../../../src/platforms/client-credentials.js';
import { storeTokens } from '../../../src/platforms/credentials.js';
import { createSecretBox, type SecretBox } from '../../../src/secrets/secret-box.js';
import { createTenant, type Tenant } from '../../support/seed.js';
import { startApp } from '../../support/service.js';
import { admin } from '../../support/admin.js';
import { hashSecret } from '../../../src/secrets/hash-secret.js';

const oldKey = randomBytes(32);
const newKey = randomBytes(32);
const before = createSecretBox([oldKey]);
const during = createSecretBox([newKey, oldKey]);
const after = createSecretBox([newKey]);

let app: App;
let tenant: Tenant;
beforeAll(async () => {
  app = await startApp();
});
beforeEach(async () => {
  tenant = await createTenant(app, 'rotation');
  await unsealAll();
  await sealOneOfEach(before);
});
afterAll(() => app.close());

/** What another test sealed with other keys is not the next one's matter. */
async function unsealAll(): Promise<void> {
  const { prisma } = admin;
  await prisma.integration.deleteMany();
  await prisma.webhook.deleteMany();
  await prisma.connectionCredential.deleteMany();
  await prisma.authorization.deleteMany();
  await prisma.secretCanary.deleteMany();
}

/** A value in every sealed column. */
async function sealOneOfEach(secrets: SecretBox): Promise<void> {
  await refuseOtherKeys(admin.pool, secrets);
  const client = app.database.client(tenant.scope);
  const owner = { svcOrganisationId: BigInt(tenant.organisationId) };
  const company = { ...owner, svcCompanyId: BigInt(tenant.companyId) };
  const place = clientSecretPlace('XERO', tenant.organisationId);
  await client.integration.create({
    data: { ...owner, integrationType: 'XERO', clientId: 'app', clientSecret: secrets.seal('one', place) },
  });
  const ofWebhook = (column: Parameters<typeof webhookPlace>[2]) =>
    webhookPlace('rotated', tenant.organisationId, column);
  await client.webhook.create({
    data: {
      ...owner,
      id: 'rotated',
      name: 'hook',
      type: 'SYNC_COMPLETED',
      url: 'https://a.example',
      headers: secrets.seal('{"x":"two"}', ofWebhook('headers')),
      secret: secrets.seal('six', ofWebhook('secret')),
      oldSecret: secrets.seal('seven', ofWebhook('old_secret')),
    },
  });
  const connection = { svcCompanyId: tenant.companyId, connectionId: tenant.connectionId };
  const tokens = { accessToken: 'three', refreshToken: 'four', expiresAt: null };
  await storeTokens({ sql: app.database.sql(tenant.scope), secrets, connection }, tokens, {
    given: { password: 'eight' },
  });
  const link = await client.inviteLink.create({
    data: { ...company, inviteLinkId: randomBytes(16).toString('hex') },
  });
  const stateHash = hashSecret('a state');
  const ofAuthorization = (column: Parameters<typeof authorizationPlace>[2]) =>
    authorizationPlace(stateHash, tenant.organisationId, column);
  await client.authorization.create({
    data: {
      ...company,
      stateHash,
      inviteLinkSvcId: link.svcId,
      integrationType: 'XERO',
      category: 'ACCOUNTING',
      codeVerifier: secrets.seal('five', ofAuthorization('code_verifier')),
      held: secrets.seal('{}', ofAuthorization('held')),
      redirectUri: 'https://a.example',
      expiresAt: new Date(Date.now() + 60_000),
    },
  });
}

/** Every value in the database that has the form of a sealed one, with its place. */
async function sealedValues(): Promise<{ place: string; value: string }[]> {
  const { rows: columns } = await admin.pool.query<{ table: string; column: string }>(
    `SELECT table_name AS "table", column_name AS "column" FROM information_schema.columns
     WHERE table_schema = 'public' AND data_type = 'text' AND table_name <> '_prisma_migrations'`,
  );
  const found = [];
  for (const { table, column } of columns) {
    const { rows } = await admin.pool.query<{ value: string }>(
      `SELECT "${column}" AS value FROM "${table}" WHERE "${column}" LIKE 'v1:%:%'`,
    );
    found.push(...rows.map(({ value }) => ({ place: `${table}.${column}`, value })));
  }
  return found;
}

test('every sealed value is sealed again with the first key, and opens with it alone', async () => {
  const places = (await sealedValues()).map(({ place }) => place).sort();
  expect(places).toEqual([
    'authorizations.code_verifier',
    'authorizations.held',
    'connection_credentials.access_token',
    'connection_credentials.refresh_token',
    'connection_credentials.secrets',
    'integrations.client_secret',
    'secret_canaries.sealed',
    'webhooks.headers',
    'webhooks.old_secret',
    'webhooks.secret',
  ]);
  const counts = await rotateSecrets(admin.pool, during);
  expect(counts).toEqual([
    { table: 'secret_canaries', checked: 1, renewed: 1 },
    { table: 'integrations', checked: 1, renewed: 1 },
    { table: 'webhooks', checked: 3, renewed: 3 },
    { table: 'connection_credentials', checked: 3, renewed: 3 },
    { table: 'authorizations', checked: 2, renewed: 2 },
  ]);
  for (const { place, value } of await sealedValues()) {
    expect({ place, isCurrent: after.isCurrent(value) }).toEqual({ place, isCurrent: true });
  }
  const row = await admin.prisma.integration.findFirstOrThrow();
  expect(after.open(row.clientSecret ?? '', clientSecretPlace('XERO', tenant.organisationId))).toBe('one');
});

test('a second run finds nothing to do', async () => {
  await rotateSecrets(admin.pool, during);
  const counts = await rotateSecrets(admin.pool, during);
  expect(counts.map(({ renewed }) => renewed)).toEqual([0, 0, 0, 0, 0]);
});

test('a key that is missing is said, and nothing is lost', async () => {
  const stranger = createSecretBox([randomBytes(32)]);
  await expect(rotateSecrets(admin.pool, stranger)).rejects.toThrow(/no key opens secret_canaries/);
  expect(await rotateSecrets(admin.pool, during)).toHaveLength(5);
});

test('other keys are refused from the second start on, also where nothing was sealed', async () => {
  await unsealAll();
  // Two first starts at once: one of them leaves its keys.
  const first = await Promise.allSettled([before, after].map((keys) => refuseOtherKeys(admin.pool, keys)));
  expect(first.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  const [right, wrong] = first[0]?.status === 'fulfilled' ? [before, after] : [after, before];
  await refuseOtherKeys(admin.pool, right);
  await expect(refuseOtherKeys(admin.pool, wrong)).rejects.toThrow(
    'none of them decrypts the secrets in secret_canaries',
  );
  await refuseOtherKeys(admin.pool, during);
});
