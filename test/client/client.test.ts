import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import {
  AccountsDocument,
  ApiError,
  type Change,
  type Client,
  CompaniesDocument,
  createClient,
  GraphqlError,
  type PathOf,
  typed,
  verifyWebhook,
  WebhookError,
} from '../../client/src/index.js';
import type { App } from '../../src/app.js';
import { ACCOUNTS, storeBooks } from '../support/books.js';
import { fullRecord } from '../support/full-record.js';
import { account } from '../../src/records/index.js';
import { createTenant, type Tenant } from '../support/seed.js';
import { createCaller, startApp } from '../support/service.js';
import { stretched } from '../support/time.js';
import { until } from '../support/until.js';

let app: App;
let acme: Tenant;
let key: string;
let client: Client;
/** Between the client and the service: what it does to requests comes before they are passed on. */
let between: Server;
let urlBetween: string;
let disturb: (request: IncomingMessage, response: ServerResponse) => boolean;
const passed: { method: string; path: string; key: string | undefined }[] = [];
const waits: number[] = [];
let disturbed: Client;

beforeAll(async () => {
  app = await startApp();
  acme = await createTenant(app, 'client');
  await storeBooks(acme);
  ({ key } = await createCaller(app, acme.organisationId));
  client = createClient({ url: `${app.url}/`, apiKey: key });
  between = createServer((request, response) => void passOn(request, response));
  await new Promise<void>((resolve) => between.listen(0, '127.0.0.1', resolve));
  urlBetween = `http://127.0.0.1:${(between.address() as AddressInfo).port}`;
  disturbed = createClient({
    url: urlBetween,
    apiKey: key,
    wait: async (milliseconds) => void waits.push(milliseconds),
  });
});
afterAll(async () => {
  between.closeAllConnections();
  between.close();
  await app.close();
});
beforeEach(() => {
  passed.length = 0;
  waits.length = 0;
  disturb = () => false;
});

async function passOn(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method = '', url = '', headers } = request;
  const idempotencyKey = headers['idempotency-key'];
  passed.push({ method, path: url, key: typeof idempotencyKey === 'string' ? idempotencyKey : undefined });
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  if (disturb(request, response)) return;
  const given = Object.entries(headers).filter(([name]) =>
    ['authorization', 'accept', 'content-type', 'idempotency-key'].includes(name),
  );
  const answer = await fetch(app.url + url, {
    method,
    headers: Object.fromEntries(given) as Record<string, string>,
    body: chunks.length > 0 ? Buffer.concat(chunks) : null,
  });
  response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
  if (!answer.body) return void response.end();
  for await (const part of answer.body) response.write(part);
  response.end();
}

const refuse =
  (status: number, headers: Record<string, string> = {}) =>
  (_request: IncomingMessage, response: ServerResponse) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end('{"error":{"code":"rate-limited","message":"too many","field":""},"request_id":"r1"}');
    return true;
  };
/** The first `times` times. */
function atFirst(times: number, what: typeof disturb): typeof disturb {
  let left = times;
  return (...given) => left-- > 0 && what(...given);
}
const cut: typeof disturb = (request) => {
  request.socket.destroy();
  return true;
};
const refusal = async (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => null,
    (error: unknown) => error,
  );

describe('REST', () => {
  test('takes filters, orders and lists as objects', async () => {
    const { data, total_count } = await client.get('/v3/accounting/accounts', {
      query: {
        limit: 2,
        svc_company_id: { eq: acme.companyId },
        sort: { name: 'DESC' },
        expand: ['currency'],
        return_count: true,
        include_deleted_records: true,
      },
    });
    const names = ACCOUNTS.map(({ values }) => values['name']).filter((name) => typeof name === 'string');
    names.sort().reverse();
    expect(data.map(({ name }) => name)).toEqual(names.slice(0, 2));
    expect(total_count).toBe(ACCOUNTS.length);
    expect(data[0]).toHaveProperty('currency');
  });

  test('has types of paths, parameters and answers', async () => {
    const first = await client.get('/v3/accounting/accounts', { query: { limit: 1 } });
    const svcId: number | undefined = first.data[0]?.svc_id;
    expect(typeof svcId).toBe('number');
    const wrong = [
      // @ts-expect-error there is no such path
      client.get('/v3/accounting/nothing'),
      // @ts-expect-error the path has an id
      client.get('/v3/accounting/accounts/{svc_id}'),
      // @ts-expect-error a limit is a number
      client.get('/v3/accounting/accounts', { query: { limit: 'many' } }),
    ];
    expect(await Promise.all(wrong.map(refusal))).toEqual([
      expect.any(ApiError),
      expect.any(ApiError),
      expect.any(ApiError),
    ]);
    // What is no JSON could not be read.
    const areNone: Extract<PathOf<'get'>, '/v3/core/export' | '/v3/files/{token}'> extends never
      ? true
      : false = true;
    expect(areNone).toBe(true);
  });

  test('reads a list page by page to its end', async () => {
    const ids: string[] = [];
    for await (const one of client.list('/v3/accounting/accounts', {
      query: { limit: 5, include_deleted_records: true },
    })) {
      ids.push(one.platform_id);
    }
    expect([...ids].sort()).toEqual(ACCOUNTS.map(({ platformId }) => platformId).sort());
  });

  test('stops asking for pages that nobody reads', async () => {
    for await (const one of disturbed.list('/v3/accounting/accounts', { query: { limit: 5 } })) {
      expect(one.svc_id).toBeGreaterThan(0);
      break;
    }
    expect(passed).toHaveLength(1);
  });

  test('throws what the service says', async () => {
    const error = await refusal(
      client.get('/v3/accounting/accounts/{svc_id}', { params: { svc_id: 999_999_999 } }),
    );
    expect(error).toBeInstanceOf(ApiError);
    expect(error).toMatchObject({
      status: 404,
      code: 'not-found',
      message: 'there is no such record',
      details: { field: 'svc_id' },
    });
    expect((error as ApiError).details.requestId).toMatch(/^[\w-]{36}$/);
  });
});

describe('what is sent again', () => {
  test('waits as long as Retry-After says', async () => {
    disturb = atFirst(2, refuse(429, { 'retry-after': '7' }));
    await disturbed.get('/v3/core/companies');
    expect([passed.length, waits]).toEqual([3, [7000, 7000]]);
  });

  test('waits longer each time where nothing is said, and gives up', async () => {
    disturb = refuse(503);
    expect(await refusal(disturbed.get('/v3/core/companies'))).toMatchObject({
      status: 503,
      code: 'rate-limited',
    });
    expect(passed).toHaveLength(5);
    waits.forEach((wait, index) => {
      expect(wait).toBeGreaterThanOrEqual(250 * 2 ** index);
      expect(wait).toBeLessThanOrEqual(500 * 2 ** index);
    });
  });

  test('is a write with one key, made once', async () => {
    disturb = atFirst(3, cut);
    const body = { company_id: acme.companyId, data: [{ name: 'Petty cash' }], dry_run: true };
    await refusal(disturbed.post('/accounting/accounts', { body }));
    await refusal(disturbed.post('/accounting/accounts', { body }));
    const keys = passed.map((one) => one.key);
    expect(keys).toHaveLength(5);
    expect(new Set(keys.slice(0, 4)).size).toBe(1);
    expect(keys[4]).not.toBe(keys[0]);
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
  });

  test('is a write with the key of its caller', async () => {
    disturb = atFirst(1, refuse(504));
    const body = { company_id: acme.companyId, data: [{ name: 'Petty cash' }], dry_run: true };
    await refusal(disturbed.post('/v3/accounting/accounts', { body, idempotencyKey: 'invoice-4711' }));
    expect(passed.map((one) => one.key)).toEqual(['invoice-4711', 'invoice-4711']);
  });

  test('is not what might be done twice', async () => {
    disturb = cut;
    const body = { company_name: 'Invited', integration_categories: ['ACCOUNTING' as const] };
    expect(await refusal(disturbed.post('/v3/core/invite_links', { body }))).toMatchObject({
      name: 'TypeError',
    });
    expect(passed).toHaveLength(1);
  });

  test('is what was refused before it began', async () => {
    disturb = atFirst(1, refuse(429));
    const body = { company_name: 'Invited', integration_categories: ['ACCOUNTING' as const] };
    const { data } = await disturbed.post('/v3/core/invite_links', { body });
    expect([passed.length, data.integration_categories]).toEqual([2, ['ACCOUNTING']]);
  });

  test('is nothing once its caller has left', async () => {
    const leaving = new AbortController();
    disturb = (request) => {
      leaving.abort(new Error('left'));
      return cut(request, null as never);
    };
    await refusal(disturbed.get('/v3/core/companies', { signal: leaving.signal }));
    expect(passed).toHaveLength(1);
  });
});

describe('GraphQL', () => {
  test('runs the operations that come with the client, typed', async () => {
    const { companies } = await client.graphql(CompaniesDocument, {});
    expect(companies.nodes.map(({ name }) => name)).toContain('client company');
    const { accounts } = await client.graphql(AccountsDocument, { companyId: acme.companyId, first: 2 });
    expect(accounts.nodes).toHaveLength(2);
    expect(accounts.pageInfo.hasNextPage).toBe(true);
  });

  test('runs a text of the caller', async () => {
    const document = typed<{ kind: string }>('{ kind: __typename }');
    expect(await client.graphql(document)).toEqual({ kind: 'Query' });
  });

  test('throws errors, with their codes', async () => {
    const error = await refusal(client.graphql(AccountsDocument, { first: 100_000 }));
    expect(error).toBeInstanceOf(GraphqlError);
    expect((error as GraphqlError).errors[0]?.extensions?.code).toBe('invalid-params');
  });

  test('sends queries again, and mutations only where that was said to be safe', async () => {
    disturb = atFirst(1, cut);
    await disturbed.graphql(CompaniesDocument, {});
    expect(passed).toHaveLength(2);
    disturb = cut;
    const mutation = typed(
      'mutation { deleteInviteLink(input: {inviteLinkId: "0"}) { userErrors { message } } }',
    );
    await refusal(disturbed.graphql(mutation));
    expect(passed).toHaveLength(3);
    disturb = atFirst(1, cut);
    await disturbed.graphql(mutation, undefined, { isRepeatable: true });
    expect(passed).toHaveLength(5);
  });
});

describe('changes', () => {
  const positionsOf = async (changes: AsyncIterable<Change>, most = Infinity) => {
    const positions: number[] = [];
    for await (const { position } of changes) if (positions.push(position) >= most) break;
    return positions;
  };

  test('are read to the last, and from any of them on', async () => {
    const all = await positionsOf(client.changes({ dataModels: ['ACCOUNTS'] }));
    expect(all).toHaveLength(ACCOUNTS.length);
    const rest = await positionsOf(client.changes({ dataModels: ['ACCOUNTS'], after: all[3] ?? 0 }));
    expect(rest).toEqual(all.slice(4));
  });

  test('go on as they happen, each once, over a stream that breaks off', async () => {
    // Books of its own: other tests here list those of the others whole.
    const books = await createTenant(app, 'followed');
    const { key: apiKey } = await createCaller(app, books.organisationId);
    const follower = createClient({ url: urlBetween, apiKey, wait: async () => undefined });
    const seen: (string | null | undefined)[] = [];
    let streams = 0;
    disturb = (request, response) => {
      if (!request.headers.accept?.includes('text/event-stream')) return false;
      streams += 1;
      return streams === 1 && cut(request, response);
    };
    const stopping = new AbortController();
    const followed = (async () => {
      const changes = follower.changes({ after: 0, follow: true, signal: stopping.signal });
      for await (const change of changes) {
        seen.push(change.data && 'name' in change.data ? change.data.name : null);
        if (seen.length === 1) between.closeAllConnections();
        if (seen.length === 1) await books.store('Account', [named('second')]);
        if (seen.length === 2) break;
      }
    })();
    await books.store('Account', [named('first')]);
    await followed;
    stopping.abort();
    expect(seen).toEqual(['first', 'second']);
    expect(streams).toBeGreaterThanOrEqual(2);
  });

  test('go on over one stream for longer than an attempt may take, and over another once it is silent', async () => {
    const streams: ServerResponse[] = [];
    disturb = (request, response) => {
      if (!request.headers.accept?.includes('text/event-stream')) return false;
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write(':\n\n');
      streams.push(response);
      return true;
    };
    const timeout = stretched(500);
    const positions: number[] = [];
    const stopping = new AbortController();
    const patient = createClient({ url: urlBetween, apiKey: key, timeout, wait: async () => undefined });
    const after = (await positionsOf(client.changes())).at(-1) ?? 0;
    const followed = (async () => {
      for await (const { position } of patient.changes({ follow: true, after, signal: stopping.signal }))
        positions.push(position);
    })();
    await until('a stream', () => streams.length === 1);
    const speaking = setInterval(() => streams[0]?.write(':\n\n'), timeout / 10);
    const begin = performance.now();
    await until('thrice its time', () => performance.now() - begin > 3 * timeout);
    streams[0]?.write(`id: 7\ndata: {"position": 7}\n\n`);
    await until('the change', () => positions.length === 1);
    expect(streams).toHaveLength(1);
    clearInterval(speaking);
    await until('another stream', () => streams.length === 2);
    stopping.abort();
    await followed;
    expect(positions).toEqual([7]);
  });

  const named = (name: string) => {
    const record = fullRecord(account, `followed-${name}`);
    return { ...record, values: { ...record.values, name } };
  };
});

describe('a webhook', () => {
  const secret = `whsec_${Buffer.from('a secret of thirty-two bytes....').toString('base64')}`;
  const body = '{"type":"UPDATE","data":{"name":"Café"}}';
  const signed = (at: Date, by = secret) => ({
    'webhook-id': 'e1',
    'Webhook-Timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(by).sign('e1', at, body),
  });

  test('is what was signed by the secret, or by the one before it', async () => {
    const now = new Date();
    const event = { id: 'e1', type: 'UPDATE', data: { name: 'Café' } };
    expect(await verifyWebhook({ headers: signed(now), body }, { secret })).toEqual(event);
    const bytes = new TextEncoder().encode(body);
    expect(await verifyWebhook({ headers: new Headers(signed(now)), body: bytes }, { secret })).toEqual(
      event,
    );
    const other = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
    expect(await verifyWebhook({ headers: signed(now), body }, { secret: [other, secret] })).toEqual(event);
    const two = { ...signed(now), 'webhook-signature': `v1,AAAA ${signed(now)['webhook-signature']}` };
    expect(await verifyWebhook({ headers: two, body }, { secret })).toEqual(event);
  });

  test('is nothing else', async () => {
    const now = new Date();
    const other = `whsec_${Buffer.alloc(32, 1).toString('base64')}`;
    const late = new Date(now.getTime() - 301_000);
    const refused: [Parameters<typeof verifyWebhook>[0], string][] = [
      [{ headers: signed(now), body: `${body} ` }, 'no signature'],
      [{ headers: signed(now, other), body }, 'no signature'],
      [{ headers: { ...signed(now), 'webhook-id': 'e2' }, body }, 'no signature'],
      [{ headers: { ...signed(now), 'webhook-signature': 'v1,***' }, body }, 'no signature'],
      [{ headers: signed(late), body }, 'too far'],
      [{ headers: { ...signed(now), 'Webhook-Timestamp': 'now' }, body }, 'too far'],
      [{ headers: {}, body }, 'webhook-id is missing'],
      [{ headers: signed(now), body: Uint8Array.of(0xff, 0xfe) }, 'no signature'],
    ];
    for (const [request, words] of refused) {
      const error = await refusal(verifyWebhook(request, { secret, now: () => now }));
      expect(error).toBeInstanceOf(WebhookError);
      expect(String(error)).toContain(words);
    }
  });
});
