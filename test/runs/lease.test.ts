import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

import pg from 'pg';

import type { App } from '../../src/app.js';
import { claim, end, fenceOff, assertHeld, LeaseLost, putOff } from '../../src/runs/lease.js';
import { isOver, statesOf } from '../../src/runs/states.js';
import { addSync } from '../support/fill-company.js';
import { createTenant, type Tenant } from '../support/seed.js';
import { startApp, testDatabaseUrl } from '../support/service.js';
import { admin } from '../support/admin.js';

let app: App;
let acme: Tenant;
let made = 0;

beforeAll(async () => {
  app = await startApp();
  acme = await createTenant(app, 'lease');
});
afterAll(() => app.close());

const sql = () => app.database.sql(acme.scope);

/** A run of each kind that waits for its first worker. */
const waiting = {
  sync: async () => (await addSync(acme, { connectionId: acme.connectionId, state: 'PENDING' })).syncSvcId,
  upload: async () => {
    const { svcId } = await admin.prisma.upload.create({
      data: {
        svcOrganisationId: BigInt(acme.organisationId),
        svcCompanyId: BigInt(acme.companyId),
        connectionId: BigInt(acme.connectionId),
        uploadId: `lease ${(made += 1)}`,
        integrationType: 'SVC_SANDBOX',
        category: 'ACCOUNTING',
        dataModel: 'ACCOUNTS',
        operation: 'CREATE',
        state: 'PENDING',
        answerBy: new Date(),
      },
    });
    return svcId;
  },
};

describe.each(['sync', 'upload'] as const)('the lease of a run of kind %s', (kind) => {
  const keyOf = async () =>
    ({ kind, svcCompanyId: acme.companyId, svcId: Number(await waiting[kind]()) }) as const;
  const take = async (key: Awaited<ReturnType<typeof keyOf>>, workerId: string) => {
    const lease = await claim(sql(), key, { workerId, columns: 't.worker_id AS "workerId"' });
    if (!lease) throw new Error('the run cannot be claimed');
    return lease;
  };
  const stateOf = async ({ svcId }: { readonly svcId: number }) => {
    const { prisma } = admin;
    const where = { svcId: BigInt(svcId) };
    return kind === 'sync'
      ? prisma.sync.findFirstOrThrow({ where })
      : prisma.upload.findFirstOrThrow({ where });
  };
  const endAs = (key: Awaited<ReturnType<typeof keyOf>>, state: 'SUCCESS' | 'FAILED') =>
    sql().transaction((transaction) => end(transaction, key, state));

  it('fences off the worker that held it before', async () => {
    const key = await keyOf();
    const first = await take(key, 'first');
    await assertHeld(sql(), first);
    const second = await take(key, 'second');
    expect(second.fence).toBe(first.fence + 1);
    await expect(assertHeld(sql(), first)).rejects.toBeInstanceOf(LeaseLost);
    await assertHeld(sql(), second);
  });

  it('is handed back with a job, for later or for the next worker', async () => {
    const key = await keyOf();
    const lease = await take(key, 'first');
    const resumeAt = new Date(Date.now() + 3_600_000);
    await sql().transaction((transaction) => putOff(transaction, lease, resumeAt));
    const asleep = await stateOf(key);
    expect(asleep.state).toBe('SLEEPING');
    // By the database's clock; the statement that says so takes its time.
    expect(Math.abs(Number(asleep.resumeAt) - resumeAt.getTime())).toBeLessThan(60_000);
    await expect(assertHeld(sql(), lease)).rejects.toBeInstanceOf(LeaseLost);
    const again = await take(key, 'second');
    await sql().transaction((transaction) => putOff(transaction, again, null));
    const state = kind === 'sync' ? 'INTERRUPTED' : 'PENDING';
    expect(await stateOf(key)).toMatchObject({ state, resumeAt: null, endedAt: null });
    const owner = new pg.Client({ connectionString: testDatabaseUrl() });
    await owner.connect();
    const { rows } = await owner.query(
      'SELECT run_at <= now() AS due FROM graphile_worker.jobs WHERE key = $1',
      [`${kind === 'sync' ? 'sync' : 'write'}:${key.svcId}`],
    );
    await owner.end();
    expect(rows).toEqual([{ due: true }]);
  });

  it('is over once it has ended', async () => {
    const key = await keyOf();
    const lease = await take(key, 'first');
    await endAs(key, 'SUCCESS');
    expect(await stateOf(key)).toMatchObject({ state: 'SUCCESS', endedAt: expect.any(Date) });
    expect(await claim(sql(), key, { workerId: 'second', columns: 't.fence' })).toBeNull();
    await expect(assertHeld(sql(), lease)).rejects.toBeInstanceOf(LeaseLost);
    await expect(endAs(key, 'FAILED')).rejects.toThrow(`a ${kind} cannot become FAILED`);
    expect(await stateOf(key)).toMatchObject({ state: 'SUCCESS' });
  });
});

it.each(statesOf('sync'))('fences a sync off that is %s, unless it is over', async (state) => {
  const { syncSvcId } = await addSync(acme, { connectionId: acme.connectionId, state });
  const which = { svcCompanyId: acme.companyId, connectionIds: [acme.connectionId] };
  const problem = { code: 'connection-expired', message: 'the connection was ended' };
  const ended = await sql().transaction((transaction) => fenceOff(transaction, which, problem));
  expect(ended.includes(Number(syncSvcId))).toBe(!isOver('sync', state));
  const row = await admin.prisma.sync.findFirstOrThrow({ where: { svcId: syncSvcId } });
  expect(row).toMatchObject(isOver('sync', state) ? { state, fence: 0 } : { state: 'FAILED', fence: 1 });
});
