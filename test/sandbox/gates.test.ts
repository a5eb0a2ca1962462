import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { sleep } from '../support/time.js';
import { until } from '../support/until.js';
import { type PlatformCaller, startTestSandbox, type TestSandbox } from './support.js';

let sandbox: TestSandbox;
let books: PlatformCaller;
beforeAll(async () => {
  sandbox = await startTestSandbox();
  books = await sandbox.caller('accounting', 'demo-1');
});
afterAll(() => sandbox.remove());

const product = (sku: string, title = 'Thing') => ({ Sku: sku, Title: title, Reference: `mark-${sku}` });
const create = (body: object, headers: Record<string, string> = {}) =>
  books.send('POST', '/Products', body, headers);
const countOf = async (sku: string) =>
  (await books.get(`/Products?reference=mark-${sku}`)).body.Paging.ItemCount;

describe('limits', () => {
  const limit = (limits: object) => sandbox.control('POST', '/limits', { platform: 'accounting', ...limits });
  /** An account whose calls of this minute are those of one test. */
  const newAccount = async (id: string): Promise<PlatformCaller> => {
    await sandbox.control('POST', '/accounts', { id, name: id, records: 40, seed: 1 });
    return sandbox.caller('accounting', id);
  };

  test('the calls after the last of a minute are refused and counted', async () => {
    const limited = await newAccount('limited');
    await limit({ per_minute: 3 });
    try {
      // A minute may end between the calls.
      const answers = [];
      for (let call = 0; call < 8; call += 1) answers.push(await limited.get('/Currencies'));
      const refused = answers.find(({ status }) => status === 429);
      expect(answers.slice(0, 3).map(({ status }) => status)).toEqual([200, 200, 200]);
      expect(refused?.body.Error.Code).toBe('TooManyRequests');
      expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
      expect(refused?.headers.get('sandbox-limit-problem')).toBe('minute');
      const { body } = await sandbox.control('GET', '/statistics');
      expect(body.overLimit['accounting limited'].minute).toBeGreaterThanOrEqual(2);
      expect(body.requests).toContainEqual(
        expect.objectContaining({ path: '/api/2/:kind', status: 429, account: 'limited' }),
      );
    } finally {
      await limit({ per_minute: 0 });
    }
  });

  test('calls at once are limited, by account', async () => {
    await limit({ concurrent: 2 });
    await sandbox.control('DELETE', '/statistics');
    try {
      const held = new AbortController();
      const hang = () =>
        fetch(`${sandbox.url}/accounting/api/2/Currencies`, {
          headers: {
            authorization: `Bearer ${books.token}`,
            'sandbox-company': 'demo-1',
            'sandbox-fault': 'hang',
          },
          signal: held.signal,
        }).catch(() => undefined);
      const hanging = [hang(), hang()];
      await until('two calls to hang', async () => {
        const { body } = await sandbox.control('GET', '/statistics');
        return body.peakConcurrent['accounting demo-1'] === 2;
      });
      const refused = await books.get('/Currencies');
      expect([refused.status, refused.headers.get('sandbox-limit-problem')]).toEqual([429, 'concurrent']);
      const pay = await sandbox.caller('payments', 'demo-1');
      expect((await pay.get('/customers')).status).toBe(200);
      held.abort();
      await Promise.all(hanging);
      await until('calls to be let in again', async () => (await books.get('/Currencies')).status === 200);
    } finally {
      await limit({ concurrent: 0 });
    }
  });
});

describe('idempotency keys', () => {
  test('a repeat answers the first result and does nothing', async () => {
    const first = await create(product('IDEM-1'), { 'idempotency-key': 'key-1' });
    const again = await create(product('IDEM-1'), { 'idempotency-key': 'key-1' });
    expect([again.status, again.text]).toEqual([first.status, first.text]);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(first.headers.get('idempotent-replayed')).toBeNull();
    expect(await countOf('IDEM-1')).toBe(1);
  });

  test('repeats at once make one object', async () => {
    const answers = await Promise.all(
      Array.from({ length: 5 }, () => create(product('IDEM-2'), { 'idempotency-key': 'key-2' })),
    );
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(await countOf('IDEM-2')).toBe(1);
  });

  test('another body under the same key is refused', async () => {
    await create(product('IDEM-3'), { 'idempotency-key': 'key-3' });
    const other = await create(product('IDEM-3', 'Other'), { 'idempotency-key': 'key-3' });
    expect([other.status, other.body.Error.Code]).toEqual([409, 'KeyReused']);
  });

  test('a refused write does not use the key up', async () => {
    expect((await create({ Sku: 'IDEM-4' }, { 'idempotency-key': 'key-4' })).status).toBe(422);
    expect((await create(product('IDEM-4'), { 'idempotency-key': 'key-4' })).status).toBe(201);
  });

  test('an account without them ignores the header, and finds by the marker', async () => {
    const enable = (enabled: boolean) =>
      sandbox.control('POST', '/accounts/demo-1/idempotency', { enabled, platform: 'accounting' });
    await enable(false);
    try {
      const body = { Title: 'Twin', Role: 'customer', Reference: 'mark-twin' };
      for (let call = 0; call < 2; call += 1) {
        await books.send('POST', '/Partners', body, { 'idempotency-key': 'key-5' });
      }
      expect((await books.get('/Partners?reference=mark-twin')).body.Partners).toHaveLength(2);
    } finally {
      await enable(true);
    }
  });

  test('a sandbox can be started without them', async () => {
    const other = await startTestSandbox({ idempotency: false });
    try {
      const pay = await other.caller('payments', 'demo-1');
      const body = { name: 'Twin', metadata: { marker: 'twin' } };
      for (let call = 0; call < 2; call += 1) {
        await pay.send('POST', '/customers', body, { 'idempotency-key': 'key' });
      }
      expect((await pay.get('/customers?metadata[marker]=twin')).body.data).toHaveLength(2);
    } finally {
      await other.remove();
    }
  });
});

describe('faults', () => {
  const fault = (name: string) => ({ 'sandbox-fault': name });

  test.each([
    ['429', 429, 'TooManyRequests'],
    ['500', 500, 'ServerError'],
    ['expired-token', 401, 'TokenExpired'],
  ])('%s answers in the style of the platform and does nothing', async (name, status, code) => {
    const answer = await create(product(`FAULT-${name}`), fault(name));
    expect([answer.status, answer.body.Error.Code]).toEqual([status, code]);
    expect(await countOf(`FAULT-${name}`)).toBe(0);
  });

  test('html answers as a proxy would', async () => {
    const answer = await books.get('/Currencies', fault('html'));
    expect([answer.status, answer.headers.get('content-type')]).toEqual([502, 'text/html']);
  });

  const outcome = (sku: string, name: string, signal: AbortSignal | null = null) =>
    fetch(`${sandbox.url}/accounting/api/2/Products`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${books.token}`,
        'sandbox-company': 'demo-1',
        'content-type': 'application/json',
        ...fault(name),
      },
      body: JSON.stringify(product(sku)),
      signal,
    })
      .then((answer) => answer.text())
      .then(
        () => 'answered',
        (error: Error) => error.name,
      );

  test('hang does nothing and never answers', async () => {
    expect(await outcome('FAULT-hang', 'hang', AbortSignal.timeout(700))).toBe('TimeoutError');
    expect(await countOf('FAULT-hang')).toBe(0);
  });

  test('timeout-after-commit writes and never answers', async () => {
    const patience = new AbortController();
    const waiting = outcome('FAULT-late', 'timeout-after-commit', patience.signal);
    await until('the write', async () => (await countOf('FAULT-late')) === 1);
    // Long enough for an answer, were there one.
    await sleep(700);
    patience.abort();
    expect(await waiting).toBe('AbortError');
  });

  test('cut writes and breaks off in the answer', async () => {
    expect(await outcome('FAULT-cut', 'cut')).toBe('TypeError');
    expect(await countOf('FAULT-cut')).toBe(1);
  });

  test('rules hit by count after those that pass, and by share as the seed has it', async () => {
    const rule = { platform: 'accounting', path: '/accounting/api/2/Currencies', fault: '500' };
    const statuses = async (count: number) => {
      const result: number[] = [];
      for (let call = 0; call < count; call += 1) result.push((await books.get('/Currencies')).status);
      return result;
    };
    await sandbox.control('POST', '/faults', { rules: [{ ...rule, skip: 1, count: 2 }] });
    expect(await statuses(5)).toEqual([200, 500, 500, 200, 200]);
    expect((await books.get('/TaxCodes')).status).toBe(200);
    const drawn: number[][] = [];
    for (let round = 0; round < 2; round += 1) {
      await sandbox.control('DELETE', '/faults');
      await sandbox.control('POST', '/faults', { rules: [{ ...rule, share: 0.5, seed: 7 }] });
      drawn.push(await statuses(20));
    }
    await sandbox.control('DELETE', '/faults');
    expect(drawn[0]).toEqual(drawn[1]);
    expect(new Set(drawn[0])).toEqual(new Set([200, 500]));
    expect(await statuses(3)).toEqual([200, 200, 200]);
  });

  test('rules reach the token endpoint', async () => {
    await sandbox.control('POST', '/faults', {
      rules: [{ path: '/accounting/oauth/token', fault: '500', count: 1 }],
    });
    const ask = () =>
      sandbox.send('/accounting/oauth/token', {
        method: 'POST',
        body: new URLSearchParams({ grant_type: 'refresh_token' }),
      });
    expect((await ask()).status).toBe(500);
    expect((await ask()).status).toBe(401);
  });

  test('a dead account fails or hangs while others answer', async () => {
    const dead = (mode: string | null) =>
      sandbox.control('POST', '/accounts/demo-1/dead', { mode, platform: 'accounting' });
    await dead('503');
    expect((await books.get('/Currencies')).body.Error.Code).toBe('Unavailable');
    const pay = await sandbox.caller('payments', 'demo-1');
    expect((await pay.get('/customers')).status).toBe(200);
    await dead('hang');
    const wait = fetch(`${sandbox.url}/accounting/api/2/Currencies`, {
      headers: { authorization: `Bearer ${books.token}`, 'sandbox-company': 'demo-1' },
      signal: AbortSignal.timeout(300),
    });
    await expect(wait).rejects.toThrow();
    await dead(null);
    expect((await books.get('/Currencies')).status).toBe(200);
  });
});

describe('bodies', () => {
  test('that are too large, no JSON or of another type are refused', async () => {
    const large = await create({ Sku: 'x', Title: 'x'.repeat(1_100_000) });
    expect([large.status, large.body.Error.Code]).toEqual([413, 'TooLarge']);
    const broken = await books.send('POST', '/Products', '{"Sku"', { 'content-type': 'application/json' });
    expect([broken.status, broken.body.Error.Code]).toEqual([400, 'BadRequest']);
    const other = await books.send('POST', '/Products', 'Sku=1', { 'content-type': 'text/plain' });
    expect([other.status, other.body.Error.Code]).toEqual([415, 'UnsupportedMedia']);
  });
});

describe('without control', () => {
  test('there is neither /_sandbox nor a fault', async () => {
    const other = await startTestSandbox({ control: false });
    try {
      expect((await other.control('GET', '/accounts')).status).toBe(404);
      const answer = await other.send('/accounting/api/2/Currencies', { headers: fault500 });
      expect(answer.status).toBe(401);
    } finally {
      await other.remove();
    }
  });
});

const fault500 = { 'sandbox-fault': '500' };
