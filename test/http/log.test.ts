import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openProxy } from '../../chaos/proxy.js';
import type { App } from '../../src/app.js';
import { createLog } from '../../src/telemetry/log.js';
import { collectLog } from '../support/log-lines.js';
import { createTenant, type Tenant } from '../support/seed.js';
import { createCaller, startApp, testDatabaseUrl } from '../support/service.js';

/** A secret that can be found wherever it gets to. */
const CANARY = 'canary7f3a9';

describe.each(['fatal', 'error', 'warn', 'info', 'debug', 'trace'] as const)(
  'the log at level %s',
  (level) => {
    let lines = '';
    const log = createLog(level, { write: (line) => void (lines += line) });
    let app: App;
    let acme: Tenant;
    let key: string;

    beforeAll(async () => {
      app = await startApp({ LOG_SLOW_STATEMENT_MS: '1' }, { log });
      acme = await createTenant(app, `log ${level}`);
      ({ key } = await createCaller(app, acme.organisationId, { key: `svc_${CANARY}_${level}_0123456789` }));
    });
    afterAll(() => app.close());

    test('holds no key, client secret, token, header or body', async () => {
      const send = (method: string, path: string, body: FormData | string | null, more = {}) =>
        fetch(app.url + path, {
          method,
          headers: {
            api_key: key,
            ...(typeof body === 'string' ? { 'content-type': 'application/json' } : {}),
            ...more,
          },
          body,
        });
      const form = new FormData();
      form.set('company_id', String(acme.companyId));
      form.set('document_type', 'BILLS');
      form.set('file', new File([CANARY], `${CANARY}.txt`));
      await send('POST', '/v3/accounting/documents', form);
      await send('POST', '/v3/accounting/documents', form, { 'content-type': 'multipart/form-data' });
      await send('GET', '/v3/accounting/accounts', null);
      await send('GET', `/v3/accounting/accounts?api_key=${CANARY}&limit=x`, null);
      await send('GET', '/v3/accounting/accounts', null, { authorization: `Bearer ${CANARY}` });
      await send('POST', '/integrations', JSON.stringify({ integration_type: 'XERO', client_id: CANARY, client_secret: CANARY })); // prettier-ignore
      await send('GET', '/integrations', null);
      await send('POST', '/v3/core/passthrough', JSON.stringify({ company_id: acme.companyId, data: { method: 'GET', path: '/x', headers: { 'x-token': CANARY }, params: { t: CANARY } } })); // prettier-ignore
      await send('POST', '/graphql', JSON.stringify({ query: '{ accounts(first: -1) { totalCount } }', variables: { secret: CANARY } })); // prettier-ignore
      await send('POST', `/graphql?canary=${CANARY}`, JSON.stringify({ query: `query Named { accounts(filter: { name: { eq: "${CANARY}" } }) { totalCount } }` })); // prettier-ignore
      await send('GET', `/v3/accounting/accounts?name[eq]=${CANARY}`, null);
      await send('GET', `/${CANARY}`, null);
      await send('GET', `/link/${CANARY}`, null, { cookie: `a=${CANARY}` });
      await send('GET', `/files/${CANARY}`, null);
      await send(
        'POST',
        '/accounting/items',
        `{"company_id":${acme.companyId},"data":[{"name":"${CANARY}"}]}`,
      );
      expect(lines).not.toContain(CANARY);
    });

    test('holds no field of a secret name, however deep, nor one of an error', () => {
      const cause = Object.assign(new Error('why'), { headers: { api_key: CANARY } });
      const error = Object.assign(new Error('what', { cause }), {
        config: { headers: { Authorization: CANARY } },
        clientSecret: CANARY,
      });
      const request = { headers: { api_key: CANARY }, rawHeaders: [CANARY], password: CANARY };
      log.fatal({ err: error, req: request, a: { b: { access_token: CANARY } } }, 'planted');
      log.fatal(error);
      expect(lines).toContain('planted');
      expect(lines).toContain('what');
      expect(lines).not.toContain(CANARY);
    });
  },
);

test('the canary is found where nothing is left out', () => {
  let lines = '';
  createLog('info', { write: (line) => void (lines += line) }).info({ harmless: CANARY }, 'x');
  expect(lines).toContain(CANARY);
});

test('the log says why the database could not be used, and callers are not told', async () => {
  const { log, saying } = collectLog('warn');
  const proxy = await openProxy(testDatabaseUrl());
  const app = await startApp({ DATABASE_URL: proxy.url }, { log });
  try {
    const { organisationId } = await createTenant(app, 'log of an outage');
    const caller = await createCaller(app, organisationId);
    await caller.get('/v3/accounting/accounts');
    proxy.takeAway();
    const answers = [
      await caller.get('/v3/accounting/accounts'),
      await caller.get('/v3/core/companies'),
      await caller.graphql('{ accounts { totalCount } }'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([503, 503, 503]);
    expect(JSON.stringify(answers.map(({ body }) => body))).not.toMatch(/ECONN|terminated/);
    const told = saying('the database could not be used');
    expect(told.map(({ reason }) => reason)).toEqual(
      answers.map(() => expect.stringMatching(/ECONN|terminated/)),
    );
    expect(told.map(({ requestId }) => requestId)).toEqual(
      answers.map(({ headers }) => headers.get('x-request-id')),
    );
  } finally {
    await app.close();
    proxy.close();
  }
});
