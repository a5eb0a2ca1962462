import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import type { PlatformClient } from '../../src/connectors/platform.js';
import { connectorFor } from '../../src/connectors/index.js';
import { packagePath } from '../../src/package-path.js';
import { openPlatform } from '../../src/platforms/access.js';
import { clientSecretPlace } from '../../src/platforms/client-credentials.js';
import { insertConnection } from '../../src/connect/insert-connection.js';
import type { FormAccess } from '../../src/connectors/access.js';
import { invalid } from '../../src/errors.js';
import { platformAgent } from '../../src/connectors/client/platform-agent.js';
import {
  endAccess,
  type PlatformSession,
  storeTokens,
  validTokens,
} from '../../src/platforms/credentials.js';
import { createSecretBox } from '../../src/secrets/secret-box.js';
import { openCuttingProxy } from '../support/cutting-proxy.js';
import { startProcess } from '../support/process.js';
import { createTenant, type Tenant } from '../support/seed.js';
import { until } from '../support/until.js';
import { untilBlocked } from '../support/until-blocked.js';
import { startApp, TEST_SECRET_KEY, testDatabaseUrl, testLogin } from '../support/service.js';
import { admin } from '../support/admin.js';

const secrets = createSecretBox([Buffer.from(TEST_SECRET_KEY, 'base64')]);

let app: App;
let identity: Server;
let tenant: Tenant;
let session: PlatformSession;
/** Refresh tokens in the order in which they were used. */
let used: string[];
let answer: { status: number; body: object; headers?: Record<string, string> } | null;
/** What answers wait for. */
let held: Promise<unknown>;
/** Of calls to the platform's API: the tokens that they came with, and the one that it takes. */
let shown: string[];
let taken: string | null;

beforeAll(async () => {
  app = await startApp();
  // A token endpoint with rotating refresh tokens: each works once.
  identity = createServer((request, response) => {
    const bearer = /^Bearer (.*)$/.exec(request.headers.authorization ?? '')?.[1];
    if (bearer !== undefined) {
      shown.push(bearer);
      response.writeHead(bearer === taken ? 200 : 401, { 'content-type': 'application/json' }).end('{}');
      return;
    }
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const given = new URLSearchParams(body).get('refresh_token') ?? '';
      const fresh = !used.includes(given);
      used.push(given);
      const granted = {
        access_token: `access ${used.length}`,
        refresh_token: `refresh ${used.length}`,
        token_type: 'Bearer',
        expires_in: 1800,
      };
      const refused = { status: 400, body: { error: 'invalid_grant' } };
      const {
        status,
        body: answered,
        headers,
      }: NonNullable<typeof answer> = answer ?? (fresh ? { status: 200, body: granted } : refused);
      // Long enough for others to ask meanwhile.
      setTimeout(() => {
        void held.then(() =>
          response
            .writeHead(status, { 'content-type': 'application/json', ...headers })
            .end(JSON.stringify(answered)),
        );
      }, 150);
    });
  });
  await new Promise<void>((resolve) => identity.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  identity.close();
  await app.close();
});

beforeEach(async () => {
  used = [];
  answer = null;
  held = Promise.resolve();
  shown = [];
  taken = null;
  tenant = await createTenant(app, 'credentials');
  const client = app.database.client(tenant.scope);
  await client.integration.create({
    data: {
      svcOrganisationId: BigInt(tenant.organisationId),
      integrationType: 'XERO',
      clientId: 'an app',
      clientSecret: secrets.seal('its secret', clientSecretPlace('XERO', tenant.organisationId)),
    },
  });
  session = {
    client,
    secrets,
    sql: app.database.sql(tenant.scope),
    reach: {
      baseUrl: `http://127.0.0.1:${(identity.address() as AddressInfo).port}`,
      settings: {},
      dispatcher: platformAgent,
    },
    connector: connectorFor('XERO'),
    connection: { svcCompanyId: tenant.companyId, connectionId: tenant.connectionId },
  };
});
afterEach(() => expect(new Set(used).size).toBe(used.length));

/** As the company's connecting again stores it. */
const connectAgain = () =>
  session.sql.transaction(async (transaction) => {
    const { connectionId } = await insertConnection(transaction, tenant.companyId, {
      connector: connectorFor('SVC_SANDBOX', 'ACCOUNTING'),
      account: { externalAccountId: 'test', name: 'Test', baseCurrency: null },
      place: { address: null, settings: {} },
    });
    expect(connectionId).toBe(tenant.connectionId);
    const tokens = { accessToken: 'access again', refreshToken: 'refresh again', expiresAt: null };
    await storeTokens({ ...session, sql: transaction }, tokens);
  });

const store = (expiresInMs: number) =>
  storeTokens(session, {
    accessToken: 'access 0',
    refreshToken: 'refresh 0',
    expiresAt: new Date(Date.now() + expiresInMs),
  });
const statusOfConnection = async () => {
  const row = await admin.prisma.connection.findFirst({
    where: { svcId: BigInt(tenant.connectionId) },
  });
  return row?.status;
};

describe('the tokens of a connection', () => {
  test('stand sealed in the database, bound to their row', async () => {
    await store(1_800_000);
    const row = await admin.prisma.connectionCredential.findFirstOrThrow({
      where: { connectionId: BigInt(tenant.connectionId) },
    });
    expect(JSON.stringify([row.accessToken, row.refreshToken])).not.toMatch(/access 0|refresh 0/);
    const other = await createTenant(app, 'thief');
    await admin.prisma.connectionCredential.create({
      data: {
        ...row,
        svcOrganisationId: BigInt(other.organisationId),
        svcCompanyId: BigInt(other.companyId),
        connectionId: BigInt(other.connectionId),
      },
    });
    const connection = { svcCompanyId: other.companyId, connectionId: other.connectionId };
    const moved = { ...session, connection, sql: app.database.sql(other.scope) };
    await expect(validTokens(moved)).rejects.toThrow();
  });

  test('are used as they are while they are good', async () => {
    await store(1_800_000);
    expect((await validTokens(session)).accessToken).toBe('access 0');
    expect(used).toEqual([]);
  });

  test('are renewed once for 50 callers at once, and the new ones are stored', async () => {
    await store(-1);
    const all = await Promise.all(Array.from({ length: 50 }, () => validTokens(session)));
    expect(new Set(all.map(({ accessToken }) => accessToken))).toEqual(new Set(['access 1']));
    expect(used).toEqual(['refresh 0']);
    expect((await validTokens(session)).accessToken).toBe('access 1');
  });

  test('are renewed once over several processes', async () => {
    await store(-1);
    const script = `
      const { connectDatabase } = await import(${JSON.stringify(packagePath('dist/db/database.js'))});
      const { organisationScope } = await import(${JSON.stringify(packagePath('dist/db/scope.js'))});
      const { connectorFor } = await import(${JSON.stringify(packagePath('dist/connectors/index.js'))});
      const { platformAgent } = await import(${JSON.stringify(packagePath('dist/connectors/client/platform-agent.js'))});
      const { validTokens } = await import(${JSON.stringify(packagePath('dist/platforms/credentials.js'))});
      const { createSecretBox } = await import(${JSON.stringify(packagePath('dist/secrets/secret-box.js'))});
      const { Login } = await import(${JSON.stringify(packagePath('dist/db/pool/login.js'))});
      const [url, key, organisation, company, connection, baseUrl] = process.argv.slice(1);
      const database = await connectDatabase(new Login([url]), { poolSize: 10, limits: { statementMilliseconds: 20000 } }, { onError: () => {} });
      const scope = organisationScope(Number(organisation));
      const session = {
        client: database.client(scope), sql: database.sql(scope), connector: connectorFor('XERO'),
        secrets: createSecretBox([Buffer.from(key, 'base64')]), 
        reach: { baseUrl, settings: {}, dispatcher: platformAgent },
        connection: { svcCompanyId: Number(company), connectionId: Number(connection) },
      };
      const tokens = await Promise.all(Array.from({ length: 10 }, () => validTokens(session)));
      console.log(JSON.stringify([...new Set(tokens.map((one) => one.accessToken))]));
      await database.close();`;
    const { organisationId, companyId, connectionId } = tenant;
    const given = [testLogin().url, TEST_SECRET_KEY, organisationId, companyId, connectionId].map(String);
    const args = ['--input-type=module', '-e', script, ...given, session.reach.baseUrl ?? ''];
    const run = () => startProcess(args).ended;
    const outputs = await Promise.all([run(), run(), run()]);
    expect(outputs.map(({ stdout }) => JSON.parse(stdout))).toEqual([
      ['access 1'],
      ['access 1'],
      ['access 1'],
    ]);
    expect(used).toEqual(['refresh 0']);
  });

  test('are renewed before their time when the platform refuses them', async () => {
    await store(1_800_000);
    expect((await validTokens(session, 'access 0')).accessToken).toBe('access 1');
    // Somebody who still holds the old one gets the new one.
    expect((await validTokens(session, 'access 0')).accessToken).toBe('access 1');
    expect(used).toEqual(['refresh 0']);
  });

  test('that the platform renews no more make the connection EXPIRED, once', async () => {
    await store(-1);
    answer = { status: 400, body: { error: 'invalid_grant', error_description: 'revoked by the user' } };
    await expect(validTokens(session)).rejects.toMatchObject({
      code: 'connection-expired',
      message: expect.stringContaining('revoked by the user'),
    });
    expect(await statusOfConnection()).toBe('EXPIRED');
    const activities = await session.client.activity.findMany({
      where: { svcCompanyId: BigInt(tenant.companyId) },
    });
    expect(activities.map(({ activityType }) => activityType)).toEqual(['CONNECTION_EXPIRED']);
  });

  test('of a company that connects again meanwhile are not ended with those that the platform refuses', async () => {
    await store(-1);
    answer = { status: 400, body: { error: 'invalid_grant', error_description: 'revoked by the user' } };
    let release = (): void => undefined;
    held = new Promise<void>((resolve) => (release = resolve));
    const renewal = validTokens(session);
    await until('the call', () => used.length > 0);
    const connecting = connectAgain();
    await untilBlocked();
    release();
    await expect(renewal).rejects.toMatchObject({ code: 'connection-expired' });
    await connecting;
    expect(await statusOfConnection()).toBe('HEALTHY');
    expect((await validTokens(session)).accessToken).toBe('access again');
  });

  test.each([
    ['as Xero says it', 400, {}],
    ['with a challenge', 401, { 'www-authenticate': 'Basic realm="identity"' }],
  ])(
    'stay what they are while the app is refused, %s: its secret is corrected',
    async (_how, status, headers) => {
      await store(-1);
      answer = { status, body: { error: 'invalid_client' }, headers };
      await expect(validTokens(session)).rejects.toMatchObject({
        code: 'conflict',
        message: expect.stringContaining('client_secret'),
      });
      expect(await statusOfConnection()).toBe('HEALTHY');
      answer = null;
      used = [];
      expect((await validTokens(session)).accessToken).toBe('access 1');
    },
  );

  test.each([
    ["a proxy's refusal", 403, { error: 'forbidden' }],
    ['an error that will pass', 400, { error: 'temporarily_unavailable' }],
    ['too many requests, said with 200', 200, { error: 'Access Denied' }],
  ])('stay what they are at %s', async (_what, status, body) => {
    await store(-1);
    answer = { status, body };
    await expect(validTokens(session)).rejects.toMatchObject({
      code: 'platform-unreachable',
      message: expect.stringContaining(body.error),
    });
    expect(await statusOfConnection()).toBe('HEALTHY');
    answer = null;
    used = [];
    expect((await validTokens(session)).accessToken).toBe('access 1');
  });

  test.each(['before', 'after'] as const)(
    'that the platform has renewed are kept where the database is lost, cut off %s a request',
    async (how) => {
      const proxy = await openCuttingProxy(testDatabaseUrl());
      const other = await startApp({ DATABASE_URL: proxy.url });
      const cutOff = { ...session, sql: other.database.sql(tenant.scope) };
      try {
        for (let nth = 1, hasCut = true; hasCut; nth += 1) {
          const ended = new Date(Date.now() - 1);
          await storeTokens(session, {
            accessToken: `ended ${nth}`,
            refreshToken: `renews ${nth}`,
            expiresAt: ended,
          });
          proxy.cut(nth, how);
          await validTokens(cutOff).catch(() => undefined);
          hasCut = proxy.stop();
          expect((await validTokens(session)).accessToken).toBe(`access ${used.length}`);
          expect(used).toHaveLength(nth);
        }
        expect(used.length).toBeGreaterThan(5);
      } finally {
        await other.close();
        proxy.close();
      }
    },
  );

  test('that are stored late make a connection HEALTHY again that another process took for ended', async () => {
    await store(-1);
    let release = (): void => undefined;
    held = new Promise<void>((resolve) => (release = resolve));
    const renewal = validTokens(session);
    await until('the call', () => used.length > 0);
    // As a process does whose renewal was refused, once the locks are its own.
    const ending = endAccess(session, 'access 0');
    await untilBlocked();
    await admin.pool.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND state = 'idle in transaction'`,
    );
    expect([await ending, await statusOfConnection()]).toEqual([true, 'EXPIRED']);
    release();
    expect((await renewal).accessToken).toBe('access 1');
    expect(await statusOfConnection()).toBe('HEALTHY');
    const activities = await session.client.activity.findMany({
      where: { svcCompanyId: BigInt(tenant.companyId) },
      orderBy: { svcId: 'asc' },
    });
    expect(activities.map(({ activityType }) => activityType)).toEqual([
      'CONNECTION_EXPIRED',
      'CONNECTION_CREATED',
    ]);
  });

  test('of a form are renewed by what was typed in, and expire with it', async () => {
    const passwords: (string | undefined)[] = [];
    const access: FormAccess = {
      kind: 'form',
      fields: [],
      open: () => Promise.reject(new Error('it is open already')),
      renew: ({ secrets: { password } }) => {
        passwords.push(password);
        if (passwords.length > 1) throw invalid('password', 'must be the one of this account');
        return Promise.resolve({ accessToken: 'session 1', refreshToken: null, expiresAt: null });
      },
    };
    const byForm = { ...session, connector: { ...session.connector, access } };
    const ended = { accessToken: 'session 0', refreshToken: null, expiresAt: new Date(Date.now() - 1) };
    await storeTokens(byForm, ended, { given: { password: 'a password' } });
    expect(await validTokens(byForm)).toMatchObject({ accessToken: 'session 1', isRenewed: true });
    await expect(validTokens(byForm, 'session 1')).rejects.toMatchObject({ code: 'connection-expired' });
    expect(passwords).toEqual(['a password', 'a password']);
    expect(await statusOfConnection()).toBe('EXPIRED');
  });

  test('survive a platform that is away: the connection stays healthy', async () => {
    await store(-1);
    answer = { status: 503, body: {} };
    await expect(validTokens(session)).rejects.toMatchObject({ code: 'platform-unreachable' });
    expect(await statusOfConnection()).toBe('HEALTHY');
    answer = null;
    used = [];
    expect((await validTokens(session)).accessToken).toBe('access 1');
  });
});

describe('a call whose token is refused', () => {
  const open = () => openPlatform(session, 'account', { use: 'sync', patienceMs: 1000 });
  const call = async (platform: PlatformClient) => {
    const request = { method: 'GET', path: '/Items', query: [], headers: {}, body: null } as const;
    const { status } = await platform.send({ ...request, timeoutMs: 5000, maxBytes: 1000 });
    return { status, shown: shown.splice(0) };
  };

  test('is repeated with a renewed one, once, and so is the next call', async () => {
    await store(1_800_000);
    const platform = open();
    taken = 'access 1';
    expect(await call(platform)).toEqual({ status: 200, shown: ['access 0', 'access 1'] });
    taken = 'access 2';
    expect(await call(platform)).toEqual({ status: 200, shown: ['access 1', 'access 2'] });
    expect(used).toEqual(['refresh 0', 'refresh 1']);
    expect(await statusOfConnection()).toBe('HEALTHY');
  });

  test('has ended where the renewed one is refused too: the connection expires, and nothing more is sent', async () => {
    await store(1_800_000);
    const platform = open();
    expect(await call(platform)).toEqual({ status: 401, shown: ['access 0', 'access 1'] });
    expect(await statusOfConnection()).toBe('EXPIRED');
    await expect(call(platform)).rejects.toMatchObject({ code: 'connection-expired' });
    expect([shown, used]).toEqual([[], ['refresh 0']]);
  });

  test('is repeated with the one that another worker has, and that one is renewed where it has ended too', async () => {
    await store(1_800_000);
    const platform = open();
    taken = 'access 0';
    expect(await call(platform)).toEqual({ status: 200, shown: ['access 0'] });
    expect((await validTokens(session, 'access 0')).accessToken).toBe('access 1');
    taken = 'access 2';
    expect(await call(platform)).toEqual({ status: 200, shown: ['access 0', 'access 1', 'access 2'] });
  });
});
