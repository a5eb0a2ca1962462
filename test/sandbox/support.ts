import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { Platform } from '../../src/sandbox/platform.js';
import { DEMO_ACCOUNTS, type Sandbox, type SandboxOptions, startSandbox } from '../../src/sandbox/index.js';
import { testDatabaseUrl } from '../support/service.js';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // A test looks into whatever came.
  readonly body: any;
}

export interface TestSandbox extends Sandbox {
  /** Any request below the address. */
  readonly send: (path: string, init?: RequestInit) => Promise<Answer>;
  readonly control: (method: string, path: string, body?: unknown) => Promise<Answer>;
  /** A caller of one platform with a token of one account. */
  readonly caller: (platform: Platform, account: string, options?: TokenOptions) => Promise<PlatformCaller>;
  /** Starts another one on what this one stored, with other options where given. */
  readonly restart: (changes?: Partial<SandboxOptions>) => Promise<Sandbox>;
  /** Runs a statement on what it stored. */
  readonly query: (text: string, values?: readonly unknown[]) => Promise<object[]>;
  /** Removes what it stored. */
  readonly drop: () => Promise<void>;
  /** Stops it and removes what it stored. */
  readonly remove: () => Promise<void>;
}

interface TokenOptions {
  readonly scope?: string;
  readonly expires_in?: number;
}

export interface PlatformCaller {
  readonly token: string;
  readonly tokens: any;
  readonly get: (path: string, headers?: Record<string, string>) => Promise<Answer>;
  readonly send: (
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ) => Promise<Answer>;
}

const BASES: Readonly<Record<Platform, string>> = {
  accounting: '/accounting/api/2',
  payments: '/payments/v1',
  ecommerce: '/ecommerce/admin/2026-10',
};

/** One company with all platforms, in a schema of its own; no limits unless asked for. */
export async function startTestSandbox(options: Partial<SandboxOptions> = {}): Promise<TestSandbox> {
  const databaseUrl = testDatabaseUrl();
  const schema = `sandbox_${randomBytes(6).toString('hex')}`;
  const start = (changes: Partial<SandboxOptions> = {}) =>
    startSandbox({
      databaseUrl,
      schema,
      companies: DEMO_ACCOUNTS.slice(0, 1),
      limits: { perMinute: 0, concurrent: 0 },
      ...options,
      ...changes,
    });
  const sandbox = await start();
  const query = async (text: string, values: readonly unknown[] = []): Promise<object[]> => {
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    try {
      await client.query(`SET search_path TO ${schema}`);
      return (await client.query<object>(text, [...values])).rows;
    } finally {
      await client.end();
    }
  };
  const drop = async () => {
    await query(`DROP SCHEMA ${schema} CASCADE`);
  };
  const send = async (path: string, init: RequestInit = {}): Promise<Answer> => {
    const answer = await fetch(sandbox.url + path, { redirect: 'manual', ...init });
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, text, body: parse(text) };
  };
  const control = (method: string, path: string, body?: unknown) =>
    send(`/_sandbox${path}`, {
      method,
      ...(body === undefined
        ? {}
        : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
  return {
    ...sandbox,
    send,
    control,
    caller: async (platform, account, tokenOptions = {}) => {
      const { body: tokens } = await control('POST', '/tokens', { platform, account, ...tokenOptions });
      return callerOf(platform, account, tokens, send);
    },
    restart: start,
    query,
    drop,
    remove: async () => {
      await sandbox.stop();
      await drop();
    },
  };
}

/** Calls one platform with tokens. */
export function callerOf(
  platform: Platform,
  account: string,
  tokens: any,
  send: TestSandbox['send'],
): PlatformCaller {
  const own = {
    authorization: `Bearer ${tokens.access_token}`,
    ...(platform === 'accounting' ? { 'sandbox-company': account } : {}),
  };
  return {
    token: tokens.access_token,
    tokens,
    get: (path, headers = {}) => send(BASES[platform] + path, { headers: { ...own, ...headers } }),
    send: (method, path, body, headers = {}) => {
      const isRaw =
        typeof body === 'string' ||
        body instanceof Uint8Array ||
        body instanceof FormData ||
        body instanceof URLSearchParams;
      return send(BASES[platform] + path, {
        method,
        headers: {
          ...own,
          ...(isRaw || body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: isRaw ? (body as string) : JSON.stringify(body) }),
      });
    },
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** All objects of a kind of Books, page by page. */
export async function allOfBooks(books: PlatformCaller, path: string, pageSize = 200): Promise<any[]> {
  const objects: any[] = [];
  const mark = path.includes('?') ? '&' : '?';
  const kind = path.split(/[/?]/)[1] ?? '';
  for (let page = 1; ; page += 1) {
    const { body } = await books.get(`${path}${mark}page=${page}&pageSize=${pageSize}`);
    objects.push(...(body[kind] ?? body.Ids));
    if (body.Paging.Page >= body.Paging.PageCount) return objects;
  }
}

/** All objects of a list of Pay, newest first. */
export async function allOfPay(pay: PlatformCaller, path: string, limit = 100): Promise<any[]> {
  const objects: any[] = [];
  const mark = path.includes('?') ? '&' : '?';
  for (let after = ''; ;) {
    const { body } = await pay.get(`${path}${mark}limit=${limit}${after}`);
    objects.push(...body.data);
    if (!body.has_more) return objects;
    after = `&starting_after=${body.data.at(-1).id}`;
  }
}

/** All objects of a list of Shop, by the links. */
export async function allOfShop(
  shop: PlatformCaller,
  send: TestSandbox['send'],
  path: string,
): Promise<any[]> {
  const name = /^\/(\w+)\.json/.exec(path)?.[1] ?? '';
  const objects: any[] = [];
  let answer = await shop.get(path);
  for (;;) {
    objects.push(...answer.body[name]);
    const next = /^<([^>]+)>; rel="next"$/.exec(answer.headers.get('link') ?? '')?.[1];
    if (next === undefined) return objects;
    const { pathname, search } = new URL(next);
    answer = await send(pathname + search, { headers: { authorization: `Bearer ${shop.token}` } });
  }
}

/** Every live object, as the dump tells it. */
export async function dump(sandbox: TestSandbox, query: string): Promise<any[]> {
  const { text } = await sandbox.control('GET', `/objects?${query}`);
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
}
