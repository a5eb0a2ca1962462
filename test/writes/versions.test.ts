import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import type { Worker } from '../../src/jobs/worker.js';
import type { RequestCount } from '../../src/sandbox/gate/statistics.js';
import type { Sandbox } from '../../src/sandbox/index.js';
import { organisationScope } from '../../src/db/scope.js';
import { loadReferences } from '../../src/store/references.js';
import { admin } from '../support/admin.js';
import { control, startTestSandbox } from '../support/sandbox.js';
import { type Answer, startApp } from '../support/service.js';
import { createWriting, startWorker, type Writing } from '../support/writing.js';

let sandbox: Sandbox;
let app: App;
let worker: Worker;
let books: Writing;

beforeAll(async () => {
  sandbox = await startTestSandbox();
  app = await startApp({ SANDBOX_URL: sandbox.url, WRITE_WAIT_MS: '60000' });
  worker = await startWorker(sandbox);
  books = await createWriting(app, sandbox);
});
beforeEach(() => control(sandbox, 'DELETE', '/faults'));
afterAll(async () => {
  await worker?.stop();
  await app?.close();
  await sandbox?.stop();
});

const CONTACTS = '/v3/accounting/contacts';
let made = 0;

interface Contact {
  readonly svc_id: number;
  readonly platform_id: string;
  readonly version: string;
}

/** A new vendor, with the version that it is shown with. */
async function createContact(): Promise<Contact> {
  made += 1;
  const { body } = await books.write(CONTACTS, [{ name: `Ada Vale ${made}`, contact_type: 'VENDOR' }]);
  return shown(body.data.svc_id as number);
}

const shown = async (svcId: number): Promise<Contact & Record<string, unknown>> =>
  (await books.caller.get(`${CONTACTS}/${svcId}?select=version`)).body.data;

const change = (item: object): Promise<Answer> =>
  books.caller.put(CONTACTS, { company_id: books.companyId, data: [item] });

/** What somebody else does at the platform. */
async function changeElsewhere({ platform_id }: Contact, data: object): Promise<void> {
  const { status } = await books.caller.post('/v3/core/passthrough', {
    company_id: books.companyId,
    data: { method: 'PUT', path: `/Partners/${platform_id}`, data },
  });
  expect(status).toBe(200);
}

/** Counts changes of a record at the platform from here on; the answers of the first `lost` are lost. */
const watch = ({ platform_id }: Contact, lost: number): Promise<unknown> =>
  control(sandbox, 'POST', '/faults', {
    rules: [
      {
        path: `/accounting/api/2/Partners/${platform_id}`,
        method: 'PUT',
        fault: 'cut',
        ...(lost === 0 ? { share: 0 } : { count: lost }),
      },
    ],
  });

/** How often the platform was asked to change a record since it is watched. */
async function changesOf({ platform_id }: Contact): Promise<number> {
  const { rules } = (await control(sandbox, 'GET', '/faults')) as {
    readonly rules: readonly { readonly path: string; readonly seen: number }[];
  };
  return rules.find(({ path }) => path.endsWith(platform_id))?.seen ?? 0;
}

test('the version of a record is when it was changed at its platform, in both styles and on request only', async () => {
  const contact = await createContact();
  const { body } = await books.caller.get(`${CONTACTS}/${contact.svc_id}?select=version`);
  expect(body.data.version).toBe(body.data.updated_at);
  expect((await books.caller.get(`${CONTACTS}/${contact.svc_id}`)).body.data).not.toHaveProperty('version');
  const { body: read } = await books.caller.graphql(
    `query ($id: String!) { contacts(first: 1, filter: { platformId: { eq: $id } }) { nodes { version } } }`,
    { id: contact.platform_id },
  );
  expect(read.data.contacts.nodes).toEqual([{ version: contact.version }]);
});

test('the version of a record without a time of change is the hash of what was sent', async () => {
  const contact = await createContact();
  await admin.pool.query('UPDATE contacts SET updated_at = NULL WHERE svc_id = $1', [contact.svc_id]);
  const { body } = await books.caller.get(`${CONTACTS}/${contact.svc_id}?select=version,data_hash`);
  expect(body.data.version).toBe(body.data.data_hash);
  await admin.pool.query(`UPDATE contacts SET platform_version = '17' WHERE svc_id = $1`, [contact.svc_id]);
  expect((await shown(contact.svc_id)).version).toBe('17');
});

test('a form may ask what the platform sent in a place of a record that an item names', async () => {
  const { platform_id } = await createContact();
  const sql = app.database.sql(organisationScope(books.tenant.organisationId));
  const target = { svcCompanyId: books.companyId, connectionId: books.connected.connectionId };
  const named = [
    { dataModel: 'ACCOUNTS', platformId: books.ids.bank },
    { dataModel: 'CONTACTS', platformId: platform_id },
  ];
  const references = await loadReferences(sql, target, named, [
    { dataModel: 'ACCOUNTS', raw: 'Balance.Currency' },
    { dataModel: 'ACCOUNTS', field: 'nominalCode' },
    { dataModel: 'CONTACTS', raw: 'Emails.0' },
  ]);
  expect([
    references.rawValueOf('ACCOUNTS', 'Balance.Currency', books.ids.bank),
    references.valueOf('ACCOUNTS', 'nominalCode', books.ids.bank),
    references.rawValueOf('CONTACTS', 'Emails.0', platform_id),
    references.rawValueOf('ACCOUNTS', 'Balance', 'nobody'),
  ]).toEqual(['AUD', '1010', null, null]);
});

describe('a change that expects a version', () => {
  test('is carried out while the record has it, and answers the next one', async () => {
    const contact = await createContact();
    const { platform_id, version } = contact;
    const first = await change({ platform_id, contact_name: 'Ada', expected_version: version });
    expect([first.status, first.body.data.contact_name]).toEqual([200, 'Ada']);
    const next = await shown(contact.svc_id);
    expect(next.version).not.toBe(version);
    const second = await change({ platform_id, contact_name: 'Eve', expected_version: next.version });
    expect([second.status, second.body.data.contact_name]).toEqual([200, 'Eve']);
  });

  test('is based on the record that was compared, which is read once', async () => {
    const contact = await createContact();
    const { platform_id, version } = contact;
    await control(sandbox, 'DELETE', '/statistics');
    await change({ platform_id, contact_name: 'Ada', expected_version: version });
    const { requests } = (await control(sandbox, 'GET', '/statistics')) as {
      readonly requests: readonly RequestCount[];
    };
    const reads = requests.filter(({ method, path }) => method === 'GET' && path.includes('/:kind/'));
    expect(reads).toEqual([expect.objectContaining({ requests: 1 })]);
  });

  test('has at most 200 characters', async () => {
    const { platform_id } = await createContact();
    const expecting = (length: number) =>
      change({ platform_id, contact_name: 'Ada', expected_version: 'v'.repeat(length) });
    expect((await expecting(200)).body.error?.code).toBe('conflict');
    expect((await expecting(201)).body.error).toMatchObject({
      code: 'invalid-params',
      field: 'expected_version',
    });
  });

  test('is a conflict when the platform has another one, known here or not; nothing is sent', async () => {
    const contact = await createContact();
    const { platform_id, version } = contact;
    await changeElsewhere(contact, { Title: 'Renamed', TaxRegistration: '77' });
    await watch(contact, 0);
    const item = { platform_id, contact_name: 'Ada', expected_version: version };
    const refused = await change(item);
    const now = await shown(contact.svc_id);
    expect([refused.status, refused.body.error]).toEqual([
      409,
      {
        code: 'conflict',
        message: 'the record was changed at SVC Sandbox Books since the expected version: read it again',
        field: '',
        version: now.version,
        changed_fields: ['name', 'tax_number'],
        platform_error: null,
      },
    ]);
    expect(refused.headers.get('retry-after')).toBeNull();
    expect(now).toMatchObject({ name: 'Renamed', tax_number: '77', contact_name: null });
    expect(await changesOf(contact)).toBe(0);
    // What is stored has moved on by now, and a second change is one more.
    await changeElsewhere(contact, { Person: 'Somebody' });
    const again = await change(item);
    expect(again.body.error.changed_fields).toEqual(['contact_name', 'name', 'tax_number']);
    expect(await changesOf(contact)).toBe(1);
  });

  test('names no changed fields if the expected version is unknown', async () => {
    const contact = await createContact();
    await changeElsewhere(contact, { Title: 'Renamed too' });
    const { body } = await change({ ...contact, svc_id: undefined, expected_version: 'from elsewhere' });
    expect(body.error).toMatchObject({ code: 'conflict', changed_fields: null });
  });

  test('is checked item by item in bulk, in GraphQL with the names of GraphQL', async () => {
    const [kept, changed] = [await createContact(), await createContact()];
    await changeElsewhere(changed, { TaxRegistration: '78' });
    const { body } = await books.caller.graphql(
      `mutation ($input: UpdateContactsInput!) {
        updateContacts(input: $input) {
          userErrors { code }
          results { state error { code version changedFields field } record { contactName version } } } }`,
      {
        input: {
          companyId: books.companyId,
          data: [kept, changed, kept].map(({ platform_id, version }) => ({
            platformId: platform_id,
            contactName: 'Ada',
            expectedVersion: version,
          })),
        },
      },
    );
    const [nowKept, nowChanged] = [await shown(kept.svc_id), await shown(changed.svc_id)];
    expect(body.data.updateContacts).toEqual({
      userErrors: [],
      results: [
        { state: 'SUCCESS', error: null, record: { contactName: 'Ada', version: nowKept.version } },
        {
          state: 'FAILED',
          error: {
            code: 'CONFLICT',
            version: nowChanged.version,
            changedFields: ['taxNumber'],
            field: null,
          },
          record: null,
        },
        {
          state: 'FAILED',
          error: {
            code: 'CONFLICT',
            version: nowKept.version,
            changedFields: ['contactName'],
            field: null,
          },
          record: null,
        },
      ],
    });
  });

  test('that was carried out and whose answer was lost is a success', async () => {
    const contact = await createContact();
    const { platform_id, version } = contact;
    await watch(contact, 1);
    const { status, body } = await change({ platform_id, contact_name: 'Ada', expected_version: version });
    expect([status, body.data?.contact_name ?? body]).toEqual([200, 'Ada']);
    expect(await changesOf(contact)).toBe(1);
  });

  test.each([
    ['has failed where it was not sent', 0, 'failed'],
    ['is uncertain where its answer was lost', 1, 'uncertain'],
  ])('whose record the platform refuses to show %s, and is not tried again', async (_what, lost, status) => {
    const contact = await createContact();
    const { platform_id, version } = contact;
    await watch(contact, lost);
    const path = `/accounting/api/2/Partners/${platform_id}`;
    const rules = [{ path, method: 'GET', fault: '400', skip: lost, share: 1 }];
    await control(sandbox, 'POST', '/faults', { rules });
    const data = [{ platform_id, contact_name: 'Ada', expected_version: version }];
    const asked = { company_id: books.companyId, data, run_async: true };
    const { body } = await books.caller.put(CONTACTS, asked);
    const [item] = (await books.untilOver(body.sync_id)).data;
    expect([item.status, await changesOf(contact)]).toEqual([status, lost]);
  });

  test('is one that a platform shows of every type that it can change', async () => {
    const { body } = await books.caller.get('/v3/core/capabilities?integration_type=SVC_SANDBOX');
    const updates = JSON.stringify(body).match(/"expected_version"/g) ?? [];
    expect(updates.length).toBeGreaterThan(4);
  });
});
