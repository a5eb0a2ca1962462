import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import { admin } from '../support/admin.js';
import { createTenant, type Tenant } from '../support/seed.js';
import { createCaller, startApp } from '../support/service.js';

const UPLOADS = 5;
const ITEMS = 1000;
const ENDED = { endedAt: new Date() };
/** What every fifth of its items is in. */
const STATES = [
  { state: 'PENDING' },
  { state: 'UNCERTAIN' },
  { state: 'SUCCESS', ...ENDED },
  { state: 'UNCERTAIN', ...ENDED },
  { state: 'FAILED', ...ENDED },
];

let app: App;
let acme: Tenant;

beforeAll(async () => {
  // An eighth of what the items themselves take.
  app = await startApp({ LIMIT_HELD_ROW_BYTES: '1000000' });
  acme = await createTenant(app, 'counts');
  const owner = { svcOrganisationId: BigInt(acme.organisationId), svcCompanyId: BigInt(acme.companyId) };
  for (let upload = 0; upload < UPLOADS; upload += 1) {
    const { svcId: uploadSvcId } = await admin.prisma.upload.create({
      data: {
        ...owner,
        connectionId: BigInt(acme.connectionId),
        uploadId: `counts ${upload}`,
        integrationType: 'SVC_SANDBOX',
        category: 'ACCOUNTING',
        dataModel: 'CONTACTS',
        operation: 'CREATE',
        state: 'RUNNING',
        answerBy: new Date(),
      },
    });
    await admin.prisma.uploadItem.createMany({
      data: Array.from({ length: ITEMS - upload }, (_, position) => ({
        ...owner,
        uploadSvcId,
        position,
        jobId: `counts ${upload} ${position}`,
        input: { name: 'x'.repeat(1500) },
        ...(STATES[position % STATES.length] ?? { state: 'PENDING' }),
      })),
    });
  }
});
afterAll(() => app.close());

test('writes are counted without reading what they write', async () => {
  const caller = await createCaller(app, acme.organisationId);
  const { status, body } = await caller.get('/sync?job_type=PUSH');
  expect({ status, error: body.error }).toEqual({ status: 200, error: undefined });
  // Latest first, and each with one item less.
  const totals = [996, 997, 998, 999, 1000];
  expect(body.data.data.map((one: any) => one.data_models[0].total_count)).toEqual(totals);
  const { body: listed } = await caller.graphql(
    '{ writes { nodes { counts { total pending running success failed uncertain } } } }',
  );
  expect(listed.data.writes.nodes).toEqual(
    totals.map((total) => {
      const inState = (place: number) => Math.ceil((total - place) / STATES.length);
      const [pending, running, success, uncertain = 0, refused = 0] = STATES.map((_, place) =>
        inState(place),
      );
      return { counts: { total, pending, running, success, failed: uncertain + refused, uncertain } };
    }),
  );
});
