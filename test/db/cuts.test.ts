import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import type { App } from '../../src/app.js';
import { PrismaClient } from '../../src/db/__generated__/client.js';
import { openLocalStore } from '../../src/files/local-store.js';
import { createApiKey, revokeApiKey } from '../../src/operations/keys/api-keys.js';
import { createOrganisation } from '../../src/operations/organisations/organisations.js';
import type { Sandbox } from '../../src/sandbox/index.js';
import { admin } from '../support/admin.js';
import { type CuttingProxy, openCuttingProxy } from '../support/cutting-proxy.js';
import { startReceiver } from '../support/events.js';
import { createSandboxTenant, engineOf, type SandboxTenant, startTestSandbox } from '../support/sandbox.js';
import { type Answer, createCaller, startApp, testDatabaseUrl, testFileDir } from '../support/service.js';
import { createWriting } from '../support/writing.js';

/** More requests than any of these makes. */
const MOST = 200;

let app: App;
let sandbox: Sandbox;
let proxy: CuttingProxy;

beforeAll(async () => {
  proxy = await openCuttingProxy(testDatabaseUrl());
  sandbox = await startTestSandbox();
  app = await startApp({ DATABASE_URL: proxy.url, SANDBOX_URL: sandbox.url });
});
afterAll(async () => {
  await app?.close();
  await sandbox?.stop();
  proxy?.close();
});

/** Cuts the way to the database at each request of the work, one after the other. Returns how many it has. */
async function atEachRequest(
  how: 'before' | 'after',
  tryOnce: (cutting: (work: () => Promise<unknown>) => Promise<void>) => Promise<void>,
): Promise<number> {
  for (let nth = 1; nth < MOST; nth += 1) {
    let hasCut = false;
    await tryOnce(async (work) => {
      proxy.cut(nth, how);
      await work().catch(() => undefined);
      hasCut = proxy.stop();
    });
    if (!hasCut) return nth - 1;
  }
  throw new Error('it makes more requests than any should');
}

const tenantOf = () =>
  createSandboxTenant(engineOf(app, sandbox.url), sandbox, { records: 5, platforms: ['payments'] });

/** How many there are of what belongs together. */
async function countsOf({ companyId }: SandboxTenant) {
  const count = async (from: string) => {
    const { rows } = await admin.pool.query(
      `SELECT count(*)::int AS count FROM ${from} AND svc_company_id = $1`,
      [companyId],
    );
    return rows[0].count as number;
  };
  return {
    healthy: await count("connections WHERE status = 'HEALTHY'"),
    tokens: await count('connection_credentials WHERE true'),
    openSyncs: await count('syncs WHERE ended_at IS NULL'),
    made: await count("activities WHERE activity_type = 'CONNECTION_CREATED'"),
    ended: await count("activities WHERE activity_type = 'CONNECTION_DISCONNECTED'"),
  };
}
const NONE = { healthy: 0, tokens: 0, openSyncs: 0, made: 0, ended: 0 };
const MADE = { ...NONE, healthy: 1, tokens: 1, openSyncs: 1, made: 1 };
const ENDED = { ...NONE, made: 1, ended: 1 };

test.each(['before', 'after'] as const)(
  'a connection is made as a whole, cut off %s a request',
  async (how) => {
    const requests = await atEachRequest(how, async (cutting) => {
      const tenant = await tenantOf();
      await cutting(() => tenant.connect('PAYMENTS'));
      expect([NONE, MADE]).toContainEqual(await countsOf(tenant));
      await tenant.connect('PAYMENTS');
      expect(await countsOf(tenant)).toMatchObject({ healthy: 1, tokens: 1 });
    });
    expect(requests).toBeGreaterThan(10);
  },
);

test.each(['before', 'after'] as const)('and ended as a whole, cut off %s a request', async (how) => {
  const tenant = await tenantOf();
  const caller = await createCaller(app, tenant.organisationId);
  let connections = 0;
  const requests = await atEachRequest(how, async (cutting) => {
    const { connectionId } = await tenant.connect('PAYMENTS');
    connections += 1;
    const before = { ...MADE, made: connections, ended: connections - 1 };
    const after = { ...ENDED, made: connections, ended: connections };
    expect(await countsOf(tenant)).toEqual(before);
    const end = () =>
      caller.graphql(
        `mutation { disconnectConnection(input: { connectionId: ${connectionId} }) { wasPlatformTold } }`,
      );
    await cutting(end);
    expect([before, after]).toContainEqual(await countsOf(tenant));
    expect((await end()).body.errors).toBeUndefined();
    expect(await countsOf(tenant)).toEqual(after);
  });
  expect(requests).toBeGreaterThan(5);
});

/** What an answer says of a change: a caller who reads `not stored` sends it again. */
const saidOf = ({ status, body }: Answer): string => {
  if (status < 300) return 'stored';
  const code = body.error?.code ?? body.errors?.[0]?.extensions.code;
  return status === 504 && code === 'outcome-unknown' ? 'unknown' : 'not stored';
};

/** Makes something again and again, cut off at each request; each answer must fit to whether there is one more of it. */
async function saysWhatIsStored(
  how: 'before' | 'after',
  make: () => Promise<Answer>,
  count: () => Promise<number>,
  fewest = 5,
): Promise<void> {
  const requests = await atEachRequest(how, async (cutting) => {
    const before = await count();
    let said = '';
    await cutting(async () => (said = saidOf(await make())));
    expect([
      ['stored', 1],
      ['unknown', 1],
      ['unknown', 0],
      ['not stored', 0],
    ]).toContainEqual([said, (await count()) - before]);
  });
  expect(requests).toBeGreaterThan(fewest);
}

test.each(['before', 'after'] as const)(
  'of a sync that was started nobody is told that it was not, cut off %s a request',
  async (how) => {
    const tenant = await tenantOf();
    await tenant.connect('PAYMENTS');
    const caller = await createCaller(app, tenant.organisationId);
    const start = {
      company_id: tenant.companyId,
      integration_type: 'SVC_SANDBOX',
      full_sync: true,
      data_models_to_sync: ['PAYMENT_CUSTOMERS'],
    };
    await saysWhatIsStored(
      how,
      () => caller.post('/v3/core/syncs', start),
      () => admin.prisma.sync.count({ where: { svcCompanyId: BigInt(tenant.companyId) } }),
    );
  },
);

test.each(['before', 'after'] as const)(
  'nor of a write, which has its file, cut off %s a request',
  async (how) => {
    const books = await createWriting(app, sandbox);
    const where = { svcCompanyId: BigInt(books.companyId) };
    const files = await openLocalStore(testFileDir());
    const item = {
      document_type: 'INVOICES',
      document_type_id: books.ids.invoice,
      file_name: 'a.txt',
      base64_file: Buffer.from('any').toString('base64'),
    };
    await saysWhatIsStored(
      how,
      () => books.write('/v3/accounting/documents', [item], { run_async: true }),
      () => admin.prisma.upload.count({ where }),
    );
    const items = await admin.prisma.uploadItem.findMany({ where });
    const kept = await Promise.all(
      items.map(({ file }) => files.has((file as { storeKey: string }).storeKey)),
    );
    expect(kept.filter((isKept) => !isKept)).toEqual([]);
    expect(kept.length).toBeGreaterThan(0);
  },
);

test.each(['before', 'after'] as const)('nor of what is changed, cut off %s a request', async (how) => {
  const receiver = await startReceiver();
  const tenant = await tenantOf();
  const caller = await createCaller(app, tenant.organisationId);
  const owner = { svcOrganisationId: BigInt(tenant.organisationId) };
  const { svcId: integrationId } = await admin.prisma.integration.findFirstOrThrow({ where: owner });
  const { body } = await caller.graphql(
    `mutation { createWebhook(input: { name: "a", type: CONNECTION_CHANGED, url: "${receiver.url}" }) {
       webhook { webhookId } } }`,
  );
  const { webhookId } = body.data.createWebhook.webhook;
  const numberIn = (text: string | null | undefined) => Number(/\d+$/.exec(text ?? '')?.[0] ?? 0);
  // Each change counts one further.
  const changes: readonly [(next: number) => string, () => Promise<number>][] = [
    [
      (next) => `updateReturnOrigins(input: { origins: ["http://localhost:${next}"] }) { returnOrigins }`,
      async () => numberIn((await admin.prisma.returnOrigin.findFirst({ where: owner }))?.origin),
    ],
    [
      (next) =>
        `updateIntegration(input: { svcId: ${integrationId}, clientId: "app ${next}" }) { userErrors { code } }`,
      async () => numberIn((await admin.prisma.integration.findFirst({ where: owner }))?.clientId),
    ],
    [
      (next) =>
        `updateCompany(input: { svcId: ${tenant.companyId}, partnerId: "partner ${next}" }) { userErrors { code } }`,
      async () => numberIn((await admin.prisma.company.findFirst({ where: owner }))?.partnerId),
    ],
    [
      () => `testWebhook(input: { webhookId: "${webhookId}" }) { userErrors { code } }`,
      () => admin.prisma.webhookDelivery.count({ where: { webhookId } }),
    ],
  ];
  for (const [mutation, count] of changes) {
    const next = async () => caller.graphql(`mutation { ${mutation((await count()) + 1)} }`);
    await saysWhatIsStored(how, next, count, 1);
  }
  await receiver.close();
});

/** Events of a kind in the audit trail of an organisation. */
const eventsOf = (organisationId: number, eventType: string) =>
  admin.prisma.auditEvent.count({ where: { svcOrganisationId: BigInt(organisationId), eventType } });

test.each(['before', 'after'] as const)(
  'a field mapping goes together with its note in the audit trail, cut off %s a request',
  async (how) => {
    const { svcId: organisationId } = await createOrganisation(admin.prisma, `Mapped ${how}`);
    const caller = await createCaller(app, organisationId);
    const mappings = () =>
      admin.prisma.fieldMapping.count({ where: { svcOrganisationId: BigInt(organisationId) } });
    const noted = () => eventsOf(organisationId, 'FIELD_MAPPING_CHANGED');
    await atEachRequest(how, async (cutting) => {
      const { body } = await caller.graphql(
        `mutation { createFieldMapping(input: { integrationType: SVC_SANDBOX, dataModel: INVOICES, name: "a", path: "a", type: TEXT }) {
           fieldMapping { svcId } } }`,
      );
      const { svcId } = body.data.createFieldMapping.fieldMapping;
      const before = await noted();
      const end = `mutation { deleteFieldMapping(input: { svcId: ${svcId} }) { userErrors { code } } }`;
      await cutting(() => caller.graphql(end));
      expect((await noted()) - before).toBe(1 - (await mappings()));
      await caller.graphql(end);
      expect([await mappings(), (await noted()) - before]).toEqual([0, 1]);
    });
  },
);

test.each(['before', 'after'] as const)('and so does the end of a key, cut off %s a request', async (how) => {
  const pool = new pg.Pool({ connectionString: proxy.url });
  pool.on('error', () => undefined);
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool) });
  try {
    const { svcId: organisationId } = await createOrganisation(admin.prisma, `Keyed ${how}`);
    await atEachRequest(how, async (cutting) => {
      const { id } = await createApiKey(admin.prisma, { organisationId, name: 'any', scopes: ['read'] });
      const before = await eventsOf(organisationId, 'KEY_REVOKED');
      await cutting(() => revokeApiKey(prisma, id));
      await revokeApiKey(prisma, id);
      expect((await eventsOf(organisationId, 'KEY_REVOKED')) - before).toBe(1);
    });
  } finally {
    await prisma.$disconnect();
    await pool.end();
  }
});
