import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { allOfBooks, allOfPay, dump, startTestSandbox, type TestSandbox } from './support.js';

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await startTestSandbox();
});
afterAll(() => sandbox.remove());

const byId = (lines: any[]) =>
  new Map(lines.map(({ platform, id, object }) => [`${platform} ${id}`, object]));
const keyOf = ({ platform, id }: any) => `${platform} ${id}`;

describe('POST /_sandbox/mutate', () => {
  test('changes exactly the share that it names, so that clients see it', async () => {
    const before = byId(await dump(sandbox, 'account=demo-1'));
    const start = new Date().toISOString();
    const { body } = await sandbox.control('POST', '/mutate', { account: 'demo-1', share: 0.05, seed: 3 });
    const after = byId(await dump(sandbox, 'account=demo-1'));
    const different = [...after].filter(
      ([key, object]) => JSON.stringify(object) !== JSON.stringify(before.get(key)),
    );
    expect(different.map(([key]) => key).sort()).toEqual(body.changed.map(keyOf).sort());
    const own = [...before.values()].filter(({ Source }) => !Source);
    expect(different.length / own.length).toBeCloseTo(0.05, 2);
    const books = await sandbox.caller('accounting', 'demo-1');
    for (const kind of ['SalesInvoices', 'BankMovements', 'Partners']) {
      const seen = (await allOfBooks(books, `/${kind}?modifiedSince=${start}`)).map(({ Guid }) => Guid);
      const expected = body.changed.filter((one: any) => one.kind === kind).map(({ id }: any) => id);
      expect(seen.sort()).toEqual(expected.sort());
    }
    const pay = await sandbox.caller('payments', 'demo-1');
    const events = await allOfPay(pay, '/events');
    const changes = body.changed.filter(({ platform }: any) => platform === 'payments');
    expect(events.map(({ data }) => data.object.id).sort()).toEqual(changes.map(({ id }: any) => id).sort());
  });

  test('leaves a voided order of a shop with nothing to pay', async () => {
    const twin = await startTestSandbox();
    try {
      const { body } = await twin.control('POST', '/mutate', {
        ...{ account: 'demo-1', platform: 'ecommerce', kind: 'orders' },
        ...{ share: 0, deletes: 0, voids: 30, seed: 1 },
      });
      const objects = byId(await dump(twin, 'account=demo-1&platform=ecommerce&kind=orders'));
      const voided = body.voided.map((one: any) => objects.get(keyOf(one)));
      expect(voided).toHaveLength(30);
      for (const order of voided) {
        expect(order).toMatchObject({ total_outstanding_set: { shop_money: { amount: '0.00' } } });
      }
    } finally {
      await twin.remove();
    }
  });

  test('deletes and voids; the same seed chooses the same objects', async () => {
    const twin = await startTestSandbox();
    try {
      const order = { account: 'demo-1', platform: 'accounting', share: 0.02, deletes: 4, voids: 3, seed: 9 };
      const [one, other] = await Promise.all([
        twin.control('POST', '/mutate', order),
        startTestSandbox().then(async (third) => {
          const answer = await third.control('POST', '/mutate', order);
          await third.remove();
          return answer;
        }),
      ]);
      expect(one.body).toEqual(other.body);
      expect([one.body.deleted.length, one.body.voided.length]).toEqual([4, 3]);
      const objects = byId(await dump(twin, 'account=demo-1&platform=accounting'));
      for (const deleted of one.body.deleted) expect(objects.has(keyOf(deleted))).toBe(false);
      for (const voided of one.body.voided) expect(objects.get(keyOf(voided)).State).toBe('voided');
      const all = await dump(twin, 'account=demo-1&platform=accounting&include_deleted=true');
      expect(all.filter(({ deleted }) => deleted).map(({ id }) => id)).toEqual(
        expect.arrayContaining(one.body.deleted.map(({ id }: any) => id)),
      );
    } finally {
      await twin.remove();
    }
  });
});

describe('POST /_sandbox/accounts', () => {
  test('makes companies of about the size that is asked for, alike from the same seed', async () => {
    const company = { name: 'Two thousand', records: 2000, seed: 5 };
    for (const id of ['first', 'second']) {
      const { status, body } = await sandbox.control('POST', '/accounts', { ...company, id });
      expect(status).toBe(201);
      // The ledger's entries come on top.
      expect(body.objects / 6000).toBeCloseTo(1.07, 1);
    }
    const dumps = await Promise.all(
      ['first', 'second'].map((id) => dump(sandbox, `account=${id}&platform=accounting`)),
    );
    // Ids differ from account to account, all else is the same.
    const plain = (lines: any[] = []) =>
      JSON.stringify(lines.map(({ object }) => object)).replaceAll(
        /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g,
        'guid',
      );
    expect(plain(dumps[0])).toBe(plain(dumps[1]));
    expect(dumps[0]?.[0].id).not.toBe(dumps[1]?.[0].id);
    const again = await sandbox.control('POST', '/accounts', { ...company, id: 'first' });
    expect(again.status).toBe(400);
    const { body } = await sandbox.control('GET', '/accounts');
    expect(body.accounts.map(({ id }: any) => id)).toEqual(['demo-1', 'first', 'second']);
  });

  test('the demo company is the same in every sandbox', async () => {
    const other = await startTestSandbox();
    const another = await startTestSandbox();
    const [one, two] = [await dump(other, 'account=demo-1'), await dump(another, 'account=demo-1')];
    await Promise.all([other.remove(), another.remove()]);
    expect(one).toEqual(two);
    expect(one.length).toBeGreaterThan(1000);
  });
});

describe('mistakes', () => {
  test.each([
    ['POST', '/mutate', { account: 'nobody' }, 404],
    ['POST', '/mutate', { account: 'demo-1', share: 2 }, 400],
    ['POST', '/faults', { rules: [{ fault: '500' }] }, 400],
    ['POST', '/accounts', { id: 'Not OK', name: 'x' }, 400],
    ['GET', '/nothing', undefined, 404],
  ])('%s %s with %j is refused', async (method, path, body, status) => {
    const answer = await sandbox.control(method, path, body);
    expect([answer.status, typeof answer.body.error]).toEqual([status, 'string']);
  });
});
