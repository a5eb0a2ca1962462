import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import { admin } from '../support/admin.js';
import { createTenant, type Tenant } from '../support/seed.js';
import { type Caller, createCaller, startApp } from '../support/service.js';
import { until } from '../support/until.js';

/** Two processes, which know nothing of each other, over one database. */
let apps: App[];
let acme: Tenant;
let shop: Tenant;
let caller: Caller & { readonly key: string };
let limited: string;

/** How often each writer writes. */
const ROUNDS = 25;

beforeAll(async () => {
  // On a machine that is busy the writers wait for each other as long as it takes.
  const patient = {
    LIMIT_STATEMENT_MILLISECONDS: '120000',
    LIMIT_QUERY_MILLISECONDS: '120000',
    LIMIT_MUTATION_MILLISECONDS: '120000',
  };
  apps = [await startApp(patient), await startApp({ ...patient, REQUESTS_AT_ONCE: '0' })];
  const [app] = apps as [App];
  acme = await createTenant(app, 'never stale');
  shop = await acme.company('shop');
  caller = await createCaller(app, acme.organisationId);
  limited = (await createCaller(app, acme.organisationId, { companyIds: [acme.companyId] })).key;
});
afterAll(() => Promise.all(apps.map((app) => app.close())));

async function ask(app: App, path: string, { known = '', key = caller.key } = {}) {
  const condition: Record<string, string> = known === '' ? {} : { 'if-none-match': known };
  const answer = await fetch(app.url + path, { headers: { api_key: key, ...condition } });
  return { status: answer.status, tag: answer.headers.get('etag') ?? '', body: await answer.text() };
}

/** What a writer has written last, when its transaction was committed. */
class Register {
  committed = 0;

  constructor(private readonly write: (value: number) => Promise<unknown>) {}

  async run(): Promise<void> {
    for (let value = 1; value <= ROUNDS; value += 1) {
      await this.write(value);
      this.committed = value;
    }
  }
}

test('an answer of 304 stands for nothing older than what was committed before it was asked for', async () => {
  // Each of these values only grows, so that an answer shows how old it is.
  const values = Object.fromEntries(Array.from({ length: ROUNDS + 1 }, (_, value) => [`p${value}`, value]));
  await acme.store('Item', [{ platformId: 'mapped', values: { name: 'Item' }, ...values }]);
  await acme.store('Invoice', [{ platformId: 'i', values: { contactId: 'contact' } }]);
  const mapping = {
    integration_type: 'SVC_SANDBOX',
    data_model: 'ITEMS',
    name: 'shown',
    path: 'p0',
    type: 'NUMBER',
  };
  const { body: made } = await caller.post('/v3/core/field_mappings', mapping);
  const mappingPath = `/v3/core/field_mappings/${made.data.svc_id}`;

  const store = (tenant: Tenant, model: string, platformId: string) => (value: number) =>
    tenant.store(model, [{ platformId, values: { name: `value ${value} ` } }]);
  const registers = {
    account: new Register(store(acme, 'Account', 'account')),
    other: new Register(store(shop, 'Account', 'other')),
    contact: new Register(store(acme, 'Contact', 'contact')),
    // Deleted and back, each time under another name.
    flicker: new Register((value) =>
      acme.store('TaxRate', [
        { platformId: 'flicker', values: { name: `value ${value} ` }, deleted: value % 2 === 1 },
      ]),
    ),
    mapping: new Register((value) => caller.put(mappingPath, { path: `p${value}` })),
  };

  const inName = (body: string) =>
    Math.max(0, ...[...body.matchAll(/value (\d+) /g)].map(([, value]) => Number(value)));
  const query = `query ($c: SvcId) { invoices(companyId: $c) { nodes { contact { name } } } }`;
  const ofAcme = `svc_company_id[eq]=${acme.companyId}`;
  const reads: { path: string; of: Register; valueIn: (body: string) => number; key?: string }[] = [
    { path: `/v3/accounting/accounts?${ofAcme}`, of: registers.account, valueIn: inName },
    { path: '/v3/accounting/accounts', of: registers.account, valueIn: inName, key: limited },
    {
      path: `/v3/accounting/accounts?svc_company_id[eq]=${shop.companyId}`,
      of: registers.other,
      valueIn: inName,
    },
    { path: `/v3/accounting/invoices?${ofAcme}&expand=contact`, of: registers.contact, valueIn: inName },
    {
      path: `/graphql?query=${encodeURIComponent(query)}&variables=${encodeURIComponent(JSON.stringify({ c: acme.companyId }))}`,
      of: registers.contact,
      valueIn: inName,
    },
    { path: '/v3/accounting/tax_rates?include_deleted_records=true', of: registers.flicker, valueIn: inName },
    {
      path: `/v3/accounting/items?${ofAcme}&select=fields`,
      of: registers.mapping,
      valueIn: (body) => Number(/"shown":(\d+)/.exec(body)?.[1] ?? NaN),
    },
  ];

  let isOver = false;
  let unchanged = 0;
  const readers = reads.flatMap(({ path, of, valueIn, key = caller.key }) =>
    apps.map(async (asked, place) => {
      let known = { tag: '', body: '' };
      while (!isOver) {
        const { committed } = of;
        const answer = await ask(asked, path, { known: known.tag, key });
        expect([200, 304]).toContain(answer.status);
        if (answer.status === 200) known = answer;
        else unchanged += 1;
        const value = valueIn(known.body);
        if (!(value >= committed)) {
          throw new Error(`${path}: ${answer.status} of process ${place} shows ${value} after ${committed}`);
        }
      }
      return { path, key, known };
    }),
  );
  await Promise.race([Promise.all(Object.values(registers).map((one) => one.run())), Promise.all(readers)]);
  isOver = true;
  // What the readers have at the end is what is answered to who has nothing.
  for (const { path, key, known } of await Promise.all(readers)) {
    for (const asked of apps) {
      const fresh = await ask(asked, path, { key });
      const { status } = await ask(asked, path, { key, known: known.tag });
      expect([path, status]).toEqual([path, known.body === fresh.body ? 304 : 200]);
    }
  }
  expect(unchanged).toBeGreaterThan(0);
});

test('nothing is unchanged of a company that was removed', async () => {
  const [app, other] = apps as [App, App];
  const doomed = await acme.company('doomed');
  await doomed.store(
    'Account',
    Array.from({ length: 50 }, (_, number) => ({ platformId: `a${number}`, values: { name: 'Doomed' } })),
  );
  const paths = ['/v3/accounting/accounts', `/v3/accounting/accounts?svc_company_id[eq]=${doomed.companyId}`];
  const before = await Promise.all(paths.map((path) => ask(app, path)));
  expect((await caller.remove(`/v3/core/companies/${doomed.companyId}`)).status).toBe(200);
  for (const [place, path] of paths.entries()) {
    const { status, body } = await ask(other, path, { known: before[place]?.tag ?? '' });
    expect([status, body.includes('Doomed')]).toEqual([200, false]);
  }
});

test('nothing is unchanged for a key that is limited or revoked, as soon as that holds', async () => {
  const [app] = apps as [App];
  for (const tenant of [acme, shop])
    await tenant.store('Account', [{ platformId: 'of each', values: { name: 'Cash' } }]);
  const narrowed = await createCaller(app, acme.organisationId);
  const path = '/v3/accounting/accounts';
  const { tag, body } = await ask(app, path, { key: narrowed.key });
  expect(body).toContain(`"svc_company_id":${shop.companyId}`);
  const change = (data: object) => admin.prisma.apiKey.update({ where: { id: narrowed.keyId }, data });
  await change({ companyIds: [acme.companyId] });
  const seen = await until('the limit of the key', async () => {
    const answer = await ask(app, path, { key: narrowed.key, known: tag });
    return answer.status === 200 && answer;
  });
  expect(seen.body).not.toContain(`"svc_company_id":${shop.companyId}`);
  await change({ revokedAt: new Date() });
  await until('the end of the key', async () => {
    const { status } = await ask(app, path, { key: narrowed.key, known: seen.tag });
    expect([304, 401]).toContain(status);
    return status === 401;
  });
});
