import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { serverAudits } from 'graphql-http';
import type { App } from '../../src/app.js';
import { createTenant } from '../support/seed.js';
import { createCaller, startApp } from '../support/service.js';

let app: App;
let key: string;

beforeAll(async () => {
  app = await startApp();
  const acme = await createTenant(app, 'audit');
  ({ key } = await createCaller(app, acme.organisationId));
});
afterAll(() => app.close());

const audits = serverAudits({
  url: () => `${app.url}/graphql`,
  fetchFn: (url: string, init: RequestInit = {}) => {
    const headers = new Headers(init.headers);
    headers.set('api_key', key);
    return fetch(url, { ...init, headers });
  },
});

describe('the GraphQL over HTTP audit of graphql-http', () => {
  test('has its 61 audits', () => {
    expect(audits).toHaveLength(61);
  });

  test.each(audits.map(({ id, name, fn }) => ({ id, name, fn })))('$id $name', async ({ fn }) => {
    const result = await fn();
    expect('reason' in result ? result.reason : result.status).toBe('ok');
  });
});
