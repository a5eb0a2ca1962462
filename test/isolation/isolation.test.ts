import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import { records } from '../../src/records/index.js';
import { fullRecord } from '../support/full-record.js';
import { createTenant, type Tenant } from '../support/seed.js';
import { type Answer, type Caller, createCaller, startApp } from '../support/service.js';
import { admin } from '../support/admin.js';

let app: App;
let mine: Tenant;
let theirs: Tenant;
/** A key of the other organisation: everything below asks for `mine` with it. */
let stranger: Caller;
let owner: Caller;
/** Ids that name nothing at all, to compare with. */
const ABSENT = 9007199254740000;

beforeAll(async () => {
  app = await startApp();
  mine = await createTenant(app, 'mine');
  theirs = await createTenant(app, 'theirs');
  for (const tenant of [mine, theirs]) {
    for (const definition of records) {
      await tenant.store(definition.model, [fullRecord(definition, 'one'), fullRecord(definition, 'two')]);
    }
  }
  owner = await createCaller(app, mine.organisationId);
  stranger = await createCaller(app, theirs.organisationId);
});
afterAll(() => app.close());

/** An answer without what differs between any two: ids and times of the request, and the id that was asked for. */
const comparable = ({ status, text }: Answer, asked: string | number) => ({
  status,
  text: text
    .replaceAll(String(asked), 'ASKED')
    .replaceAll(/"request_id":"[^"]*"/g, '')
    .replaceAll(/"re(quest|sponse)_timestamp":"[^"]*"/g, ''),
});

async function expectAlike(ask: (id: number) => Promise<Answer>, foreign: number): Promise<void> {
  expect(comparable(await ask(foreign), foreign)).toEqual(comparable(await ask(ABSENT), ABSENT));
}

describe('writes of another organisation', () => {
  const item = { journal_lines: [] };

  test('are answered like those for a company that does not exist', async () => {
    await expectAlike(
      (id) => stranger.post('/accounting/journal_entries', { company_id: id, data: [item] }),
      mine.companyId,
    );
    await expectAlike(
      (id) => stranger.post('/v3/accounting/contacts', { company_id: id, data: [item], dry_run: true }),
      mine.companyId,
    );
    await expectAlike(
      (id) =>
        stranger.post('/v3/core/real_time', {
          company_id: id,
          data_model: 'CONTACTS',
          variables: { platform_id: 'one' },
        }),
      mine.companyId,
    );
    await expectAlike(
      (id) =>
        stranger.post('/accounting/journal_entries', {
          company_id: theirs.companyId,
          connection_id: id,
          data: [item],
        }),
      mine.connectionId,
    );
  });

  test('are absent by the ids of their uploads and jobs, and their keys are free', async () => {
    const send = (caller: Caller, tenant: Tenant) =>
      caller.post(
        '/accounting/journal_entries',
        { company_id: tenant.companyId, data: [item] },
        { 'idempotency-key': 'same-everywhere' },
      );
    const { body } = await send(owner, mine);
    const { upload_job_id: uploadId, data } = body.data;
    const jobId = data[0].job_id;
    for (const path of [
      '/v3/core/uploads/',
      '/v3/core/syncs/',
      '/v3/core/jobs/',
      '/v3/core/syncs/jobs/',
      '/jobs/',
    ]) {
      const id = path.includes('jobs') ? jobId : uploadId;
      expect((await owner.get(path + id)).status).toBe(200);
      const absent = await stranger.get(`${path}aaaaaaaaaaaaaaa`);
      expect(absent.status).toBe(404);
      expect(comparable(await stranger.get(path + id), id)).toEqual(comparable(absent, 'aaaaaaaaaaaaaaa'));
    }
    const seen = await stranger.graphql(
      `query ($upload: String!, $job: String!) { write(writeId: $upload) { svcId } writeItem(jobId: $job) { svcId }
        writes { nodes { svcCompanyId } } }`,
      { upload: uploadId, job: jobId },
    );
    expect(seen.body.data).toMatchObject({ write: null, writeItem: null });
    expect(
      seen.body.data.writes.nodes.every(
        (one: { svcCompanyId: number }) => one.svcCompanyId === theirs.companyId,
      ),
    ).toBe(true);
    const own = await send(stranger, theirs);
    expect(own.headers.get('idempotent-replayed')).toBeNull();
    expect(own.body.data.upload_job_id).not.toBe(uploadId);
  });
});

describe.each(records.map((definition) => [definition.model, definition] as const))(
  '%s of another organisation',
  (_model, definition) => {
    const singular = definition.model.charAt(0).toLowerCase() + definition.model.slice(1);
    let record: { svcId: number; id: string; platformId: string };

    beforeAll(async () => {
      const { body } = await owner.graphql(
        `{ ${definition.list}(first: 1) { nodes { svcId id platformId } } }`,
      );
      [record] = body.data[definition.list].nodes;
    });

    test('is not in any list of either style', async () => {
      const { body } = await stranger.graphql(
        `{ ${definition.list}(includeDeleted: true, first: 1000) { totalCount nodes { svcId svcOrganisationId } } }`,
      );
      const { nodes } = body.data[definition.list];
      expect(nodes.length).toBeGreaterThan(0);
      expect(
        nodes.every(
          (node: { svcOrganisationId: number }) => node.svcOrganisationId === theirs.organisationId,
        ),
      ).toBe(true);
      const rest = (await stranger.get(`/v3/${definition.path}?limit=1000&include_deleted_records=true`)).body
        .data;
      expect(rest.every((one: { svc_company_id: number }) => one.svc_company_id === theirs.companyId)).toBe(
        true,
      );
      const all = (await stranger.post(`/${definition.unversionedPath}/all`, {})).body.data.data;
      expect(
        all.every(
          (one: { svc_organisation_id: number }) => one.svc_organisation_id === theirs.organisationId,
        ),
      ).toBe(true);
    });

    test('is absent by svc_id, platform id and global id', async () => {
      await expectAlike((id) => stranger.get(`/v3/${definition.path}/${id}`), record.svcId);
      await expectAlike((id) => stranger.graphql(`{ ${singular}(svcId: ${id}) { svcId } }`), record.svcId);
      await expectAlike(
        (id) =>
          stranger.graphql(`{ ${singular}(companyId: ${id}, platformId: "${record.platformId}") { svcId } }`),
        mine.companyId,
      );
      const { body } = await stranger.graphql(
        'query ($id: ID!) { node(id: $id) { id } nodes(ids: [$id]) { id } }',
        { id: record.id },
      );
      expect(body).toEqual({ data: { node: null, nodes: [null] } });
    });

    test('is absent by company and by every filter', async () => {
      await expectAlike(
        (id) => stranger.get(`/v3/${definition.path}?return_count=true&svc_company_id[eq]=${id}`),
        mine.companyId,
      );
      await expectAlike(
        (id) => stranger.get(`/v3/${definition.path}?return_count=true&svc_id[eq]=${id}`),
        record.svcId,
      );
      await expectAlike(
        (id) => stranger.get(`/v3/${definition.path}?return_count=true&svc_company_id[in]=${id}`),
        mine.companyId,
      );
      await expectAlike(
        (id) =>
          stranger.post(`/${definition.unversionedPath}/all`, {
            filter: { svc_organisation_id: { eq: id } },
          }),
        mine.organisationId,
      );
      await expectAlike(
        (id) =>
          stranger.post(`/${definition.unversionedPath}/all`, {
            filter: { or: [{ svc_company_id: { eq: id } }, { svc_id: { eq: id } }] },
          }),
        record.svcId,
      );
      await expectAlike(
        (id) =>
          stranger.graphql(
            `{ ${definition.list}(companyId: ${id}) { totalCount lastSyncedAt nodes { svcId } } }`,
          ),
        mine.companyId,
      );
      await expectAlike(
        (id) =>
          stranger.graphql(
            `{ ${definition.list}(filter: { not: { svcOrganisationId: { ne: ${id} } } }) { totalCount nodes { svcId } } }`,
          ),
        mine.organisationId,
      );
    });

    test('does not come by a cursor of its own organisation: only own records follow it', async () => {
      const { body } = await owner.get(`/v3/${definition.path}?limit=1&include_deleted_records=true`);
      if (body.next === null) return;
      const { status, body: page } = await stranger.get(
        `/v3/${definition.path}?next=${body.next}&include_deleted_records=true`,
      );
      expect(status).toBe(200);
      expect(
        page.data.every((one: { svc_company_id: number }) => one.svc_company_id === theirs.companyId),
      ).toBe(true);
    });
  },
);

describe('a company of another organisation', () => {
  test('is absent', async () => {
    await expectAlike(
      (id) =>
        stranger.graphql(
          `{ company(svcId: ${id}) { name accounts { totalCount } connections { nodes { svcId } } } }`,
        ),
      mine.companyId,
    );
    const { body } = await stranger.graphql('{ companies { totalCount nodes { svcId } } }');
    expect(body.data.companies).toEqual({ totalCount: 1, nodes: [{ svcId: theirs.companyId }] });
  });
});

describe('a key limited to some companies', () => {
  test('sees those and nothing else of its organisation, in every way of asking', async () => {
    const second = await mine.company('second');
    await second.store('Account', [{ platformId: 'only', values: { name: 'Only' } }]);
    const limited = await createCaller(app, mine.organisationId, { companyIds: [second.companyId] });
    const { body } = await limited.graphql(
      '{ companies { nodes { svcId accounts { nodes { platformId } } } } accounts { totalCount nodes { platformId } } invoices { totalCount } }',
    );
    expect(body.data).toEqual({
      companies: { nodes: [{ svcId: second.companyId, accounts: { nodes: [{ platformId: 'only' }] } }] },
      accounts: { totalCount: 1, nodes: [{ platformId: 'only' }] },
      invoices: { totalCount: 0 },
    });
    const { body: whole } = await owner.graphql(
      `{ accounts(companyId: ${mine.companyId}, first: 1) { nodes { svcId id } } }`,
    );
    const [foreign] = whole.data.accounts.nodes;
    await expectAlike((id) => limited.get(`/v3/accounting/accounts/${id}`), foreign.svcId);
    await expectAlike(
      (id) => limited.graphql(`{ company(svcId: ${id}) { name connections { nodes { svcId } } } }`),
      mine.companyId,
    );
    expect(
      (await limited.graphql('query ($id: ID!) { node(id: $id) { id } }', { id: foreign.id })).body.data.node,
    ).toBeNull();
  });
});

const REFUSED = 'send a valid API key in the header api_key, or as Authorization: Bearer';

describe('a key', () => {
  test.each([
    [
      'missing',
      null,
      'no API key arrived: send one in the header api_key, or as Authorization: Bearer (some proxies drop headers with underscores)',
    ],
    ['unknown', `svc_${'x'.repeat(40)}`, REFUSED],
    ['malformed', 'x', REFUSED],
  ])('that is %s is refused on every documented path alike', async (_kind, key, message) => {
    const { callerOf } = await import('../support/service.js');
    const caller = callerOf(app, key);
    const paths = records.flatMap(({ path }) => [`/v3/${path}`, `/v3/${path}/1`]);
    for (const path of paths) {
      const { status, body } = await caller.get(path);
      expect({ status, error: body.error }).toEqual({
        status: 401,
        error: {
          code: 'unauthenticated',
          message,
          field: 'api_key',
        },
      });
    }
    expect((await caller.post('/accounting/accounts/all', {})).status).toBe(401);
  });

  test('that is revoked or expired is refused like an unknown one; in the query string it does not count', async () => {
    const { prisma } = admin;
    const revoked = await createCaller(app, mine.organisationId);
    await prisma.apiKey.update({ where: { id: revoked.keyId }, data: { revokedAt: new Date() } });
    const expired = await createCaller(app, mine.organisationId);
    await prisma.apiKey.update({
      where: { id: expired.keyId },
      data: { expiresAt: new Date(Date.now() - 1) },
    });
    for (const caller of [revoked, expired])
      expect((await caller.get('/v3/accounting/accounts')).status).toBe(401);
    const live = await createCaller(app, mine.organisationId);
    const { callerOf } = await import('../support/service.js');
    expect((await callerOf(app, null).get(`/v3/accounting/accounts?api_key=${live.key}`)).status).toBe(401);
    const stored = JSON.stringify(await prisma.apiKey.findMany(), (_name, value) =>
      typeof value === 'bigint' ? String(value) : value,
    );
    expect(stored).not.toContain(live.key);
  });
});
