import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type App, type AppOptions, createApp } from '../../src/app.js';
import { type Config, readConfig } from '../../src/config/config.js';
import { integrationTypes } from '../../src/connectors/index.js';
import { connectDatabase } from '../../src/db/database.js';
import { Login } from '../../src/db/pool/login.js';
import { reportTo } from '../../src/db/reports.js';
import { createLog } from '../../src/telemetry/log.js';
import { createSecretBox } from '../../src/secrets/secret-box.js';
import { createApiKey, KEY_SCOPES, type KeyScope } from '../../src/operations/keys/api-keys.js';
import { databaseUrl } from './database.js';
import { admin } from './admin.js';

/** This file's database. */
export const testDatabaseUrl = (): string => databaseUrl;

/** The login for requests and jobs on a database of this run: that of the template, which its copies accept. */
export function testLogin(url = databaseUrl, directUrl: string | null = null): Login {
  const { username, password } = new URL(process.env['TEST_RUNTIME_URL'] ?? '');
  const at = (address: string): [string] => [Object.assign(new URL(address), { username, password }).href];
  return new Login(at(url), directUrl === null ? null : at(directUrl));
}

/** The folder for files, unless a test has its own. */
export const testFileDir = (): string => process.env['TEST_FILE_DIR'] ?? join(tmpdir(), 'svc-test-files');

/** Any 32 bytes. */
export const TEST_SECRET_KEY = Buffer.alloc(32, 'test').toString('base64');

/** Starts the real app on a free port with this file's database. */
export async function startApp(
  settings: Readonly<Record<string, string>> = {},
  options: Partial<Pick<AppOptions, 'now' | 'demoApiKey' | 'log'>> = {},
): Promise<App> {
  const config: Config = readConfig(
    {
      DATABASE_URL: databaseUrl,
      PORT: '0',
      LIMIT_REQUESTS_PER_MINUTE: '0',
      LIMIT_ORGANISATION_REQUESTS_PER_MINUTE: '0',
      LIMIT_FAILED_KEYS_PER_MINUTE: '0',
      SECRET_KEYS: TEST_SECRET_KEY,
      FILE_DIR: testFileDir(),
      ...settings,
    },
    integrationTypes,
  );
  const { log = createLog('silent') } = options;
  const secrets = createSecretBox(config.secretKeys);
  const database = await connectDatabase(
    testLogin(config.databaseUrl ?? databaseUrl, config.databaseDirectUrl),
    config,
    reportTo(log, config),
    { ...config, log },
  );
  return createApp({
    config,
    database,
    secrets,
    urls: config.platformUrls,
    demoApiKey: null,
    ...options,
    log,
  });
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // Tests may look into any body.
  readonly body: any;
}

/** A caller with a key of one organisation. */
export interface Caller {
  get(path: string): Promise<Answer>;
  post(path: string, body: unknown, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  put(path: string, body: unknown): Promise<Answer>;
  remove(path: string): Promise<Answer>;
  graphql(query: string, variables?: object): Promise<Answer>;
}

export function callerOf(app: App, key: string | null): Caller {
  const headers: Record<string, string> = key === null ? {} : { api_key: key };
  const send = async (path: string, init: RequestInit): Promise<Answer> => {
    const answer = await fetch(app.url + path, init);
    const text = await answer.text();
    return { status: answer.status, headers: answer.headers, text, body: parse(text) };
  };
  const write =
    (method: string) =>
    (path: string, body: unknown, more: Readonly<Record<string, string>> = {}) =>
      send(path, {
        method,
        headers: { ...headers, 'content-type': 'application/json', ...more },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      });
  const post = write('POST');
  return {
    get: (path) => send(path, { headers }),
    post,
    put: write('PUT'),
    remove: (path) => send(path, { method: 'DELETE', headers }),
    graphql: (query, variables = {}) => post('/graphql', { query, variables }),
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Creates a key of an organisation, and its caller. */
export async function createCaller(
  app: App,
  organisationId: number,
  options: {
    readonly scopes?: readonly KeyScope[];
    readonly companyIds?: readonly number[];
    readonly key?: string;
  } = {},
): Promise<Caller & { readonly key: string; readonly keyId: string }> {
  const { id, key } = await createApiKey(admin.prisma, {
    organisationId,
    name: 'test',
    scopes: options.scopes ?? KEY_SCOPES,
    ...(options.companyIds ? { companyIds: options.companyIds } : {}),
    ...(options.key ? { key: options.key } : {}),
  });
  return { ...callerOf(app, key), key, keyId: id };
}
