import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { until } from '../support/until.js';
import { type Answer, callerOf, startTestSandbox, type TestSandbox } from './support.js';

const VERIFIER = 'a'.repeat(50);
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');
const REDIRECT = 'http://127.0.0.1:9999/oauth/callback';

let sandbox: TestSandbox;
beforeAll(async () => {
  sandbox = await startTestSandbox();
});
afterAll(() => sandbox.remove());

const parameters = (changes: Record<string, string> = {}) =>
  new URLSearchParams({
    response_type: 'code',
    client_id: 'sandbox-books',
    redirect_uri: REDIRECT,
    state: 'the state',
    code_challenge: CHALLENGE,
    code_challenge_method: 'S256',
    ...changes,
  });

const form = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
  sandbox.send(path, { method: 'POST', body: new URLSearchParams(fields), headers });

const consent = (decision: string) => ({
  ...Object.fromEntries(parameters()),
  account: 'demo-1',
  decision,
});

const decide = (decision: string) => form('/accounting/oauth/authorize', consent(decision));

const locationOf = (answer: Pick<Answer, 'headers'>) =>
  new URL(answer.headers.get('location') ?? 'about:blank');

async function newCode(): Promise<string> {
  return locationOf(await decide('approve')).searchParams.get('code') ?? '';
}

const token = (fields: Record<string, string>) =>
  form('/accounting/oauth/token', {
    client_id: 'sandbox-books',
    client_secret: 'sandbox-books-secret',
    ...fields,
  });

const exchange = (code: string, changes: Record<string, string> = {}) =>
  token({
    grant_type: 'authorization_code',
    code,
    redirect_uri: REDIRECT,
    code_verifier: VERIFIER,
    ...changes,
  });

const refresh = (refreshToken: string) => token({ grant_type: 'refresh_token', refresh_token: refreshToken });

const whoami = (accessToken: string) =>
  sandbox.send('/accounting/oauth/whoami', { headers: { authorization: `Bearer ${accessToken}` } });

describe('GET /{platform}/oauth/authorize', () => {
  test('shows the accounts in plain HTML without scripts', async () => {
    const answer = await sandbox.send(`/accounting/oauth/authorize?${String(parameters())}`);
    expect(answer.status).toBe(200);
    expect(answer.text).toContain('Harbour Furniture');
    expect(answer.text).not.toContain('<script');
    const policy = answer.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("form-action 'self' http://127.0.0.1:9999");
  });

  test('escapes what the request brings', async () => {
    const answer = await sandbox.send(
      `/accounting/oauth/authorize?${String(parameters({ state: '"><script>alert(1)</script>' }))}`,
    );
    expect(answer.text).not.toContain('<script>');
    expect(answer.text).toContain('&quot;&gt;&lt;script&gt;');
  });

  test.each([
    ['an unknown client', { client_id: 'nobody' }],
    ['a foreign redirect URI', { redirect_uri: 'https://evil.example/oauth/callback' }],
    ['another path', { redirect_uri: 'http://127.0.0.1:9999/other' }],
  ])('shows an error and does not redirect for %s', async (_, changes) => {
    const answer = await sandbox.send(`/accounting/oauth/authorize?${String(parameters(changes))}`);
    expect(answer.status).toBe(400);
    expect(answer.headers.get('location')).toBeNull();
  });

  test.each([
    ['without a challenge', { code_challenge: '' }, 'invalid_request'],
    ['with the method plain', { code_challenge_method: 'plain' }, 'invalid_request'],
    ['with another response type', { response_type: 'token' }, 'unsupported_response_type'],
    ['with an unknown scope', { scope: 'admin' }, 'invalid_scope'],
  ])('sends back an error %s', async (_, changes, error) => {
    const answer = await sandbox.send(`/accounting/oauth/authorize?${String(parameters(changes))}`);
    expect(answer.status).toBe(303);
    expect(locationOf(answer).searchParams.get('error')).toBe(error);
    expect(locationOf(answer).searchParams.get('state')).toBe('the state');
  });
});

describe('POST /{platform}/oauth/authorize', () => {
  test('approval comes back with a code, the state and the company', async () => {
    const answer = await decide('approve');
    const { searchParams, origin } = locationOf(answer);
    expect(origin).toBe('http://127.0.0.1:9999');
    expect(Object.fromEntries(searchParams)).toEqual({
      code: expect.stringMatching(/^sac_/),
      state: 'the state',
      company: 'demo-1',
    });
  });

  test('refusal comes back as access_denied', async () => {
    const { searchParams } = locationOf(await decide('deny'));
    expect(Object.fromEntries(searchParams)).toEqual({ error: 'access_denied', state: 'the state' });
  });

  test('refuses a form that was sent from another site', async () => {
    const fields = { ...Object.fromEntries(parameters()), account: 'demo-1', decision: 'approve' };
    const answer = await form('/accounting/oauth/authorize', fields, { origin: 'https://evil.example' });
    expect(answer.status).toBe(400);
  });
});

describe('POST /{platform}/oauth/token', () => {
  test('a code becomes tokens that reach the account', async () => {
    const { status, body } = await exchange(await newCode());
    expect(status).toBe(200);
    expect(body).toEqual({
      access_token: expect.stringMatching(/^sat_/),
      token_type: 'Bearer',
      expires_in: 1800,
      refresh_token: expect.stringMatching(/^srt_/),
      scope: 'read write',
      company: 'demo-1',
    });
    expect((await whoami(body.access_token)).body).toMatchObject({
      account: { id: 'demo-1', name: 'Harbour Furniture' },
      client_id: 'sandbox-books',
    });
  });

  test('takes the client by HTTP Basic', async () => {
    const basic = Buffer.from('sandbox-books:sandbox-books-secret').toString('base64');
    const fields = { grant_type: 'authorization_code', code: await newCode(), redirect_uri: REDIRECT };
    const answer = await form(
      '/accounting/oauth/token',
      { ...fields, code_verifier: VERIFIER },
      { authorization: `Basic ${basic}` },
    );
    expect(answer.status).toBe(200);
  });

  test('a wrong verifier is refused, and the code is gone', async () => {
    const code = await newCode();
    expect((await exchange(code, { code_verifier: 'b'.repeat(50) })).body.error).toBe('invalid_grant');
    expect((await exchange(code)).body.error).toBe('invalid_grant');
  });

  test('another redirect URI, another secret and another grant type are refused', async () => {
    const other = await exchange(await newCode(), { redirect_uri: 'http://127.0.0.1:1/oauth/callback' });
    expect(other.body.error).toBe('invalid_grant');
    const wrong = await exchange(await newCode(), { client_secret: 'wrong' });
    expect([wrong.status, wrong.body.error]).toEqual([401, 'invalid_client']);
    expect((await token({ grant_type: 'password' })).body.error).toBe('unsupported_grant_type');
  });

  test('a code that is used again revokes what it gave', async () => {
    const code = await newCode();
    const { body } = await exchange(code);
    expect((await whoami(body.access_token)).status).toBe(200);
    expect((await exchange(code)).body.error).toBe('invalid_grant');
    expect((await whoami(body.access_token)).status).toBe(401);
    expect((await refresh(body.refresh_token)).body.error).toBe('invalid_grant');
  });

  test('a code does not live long', async () => {
    const hurried = await sandbox.restart({ codeLifetime: 0 });
    try {
      const body = new URLSearchParams(consent('approve'));
      const address = `${hurried.url}/accounting/oauth/authorize`;
      const approved = await fetch(address, { method: 'POST', body, redirect: 'manual' });
      const code = locationOf(approved).searchParams.get('code') ?? '';
      expect((await exchange(code)).body.error_description).toContain('expired');
    } finally {
      await hurried.stop();
    }
    expect((await exchange(await newCode())).status).toBe(200);
  });

  test('refresh tokens rotate', async () => {
    const first = (await exchange(await newCode())).body;
    const second = (await refresh(first.refresh_token)).body;
    expect(second.refresh_token).not.toBe(first.refresh_token);
    expect((await whoami(second.access_token)).status).toBe(200);
    expect((await refresh(second.refresh_token)).status).toBe(200);
  });

  test('an old refresh token that is used again revokes the whole grant', async () => {
    const first = (await exchange(await newCode())).body;
    const second = (await refresh(first.refresh_token)).body;
    expect((await refresh(first.refresh_token)).body.error).toBe('invalid_grant');
    expect((await whoami(second.access_token)).status).toBe(401);
    expect((await refresh(second.refresh_token)).body.error).toBe('invalid_grant');
  });

  test('of two refreshes at once only one gets tokens', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { refresh_token } = (await exchange(await newCode())).body;
      const answers = await Promise.all(Array.from({ length: 5 }, () => refresh(refresh_token)));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400]);
    }
  });

  test('token requests are counted', async () => {
    await refresh('nothing');
    const { body } = await sandbox.control('GET', '/statistics');
    expect(body.tokenRequests['accounting refresh_token']).toBeGreaterThan(0);
  });

  test('token requests with other grant types are counted together', async () => {
    await sandbox.control('DELETE', '/statistics');
    await token({ grant_type: 'password' });
    await token({ grant_type: 'x'.repeat(10_000), client_secret: 'wrong' });
    const { body } = await sandbox.control('GET', '/statistics');
    expect(body.tokenRequests).toEqual({ 'accounting other': 2 });
  });
});

describe('tokens', () => {
  test('revoking ends the grant', async () => {
    const { body } = await exchange(await newCode());
    const answer = await form('/accounting/oauth/revoke', {
      client_id: 'sandbox-books',
      client_secret: 'sandbox-books-secret',
      token: body.refresh_token,
    });
    expect(answer.status).toBe(200);
    expect((await whoami(body.access_token)).status).toBe(401);
  });

  test('expire', async () => {
    const lasting = await sandbox.caller('accounting', 'demo-1', { expires_in: 3600 });
    const books = await sandbox.caller('accounting', 'demo-1', { expires_in: 1 });
    const late = await until('the token to expire', async () => {
      const answer = await books.get('/Currencies');
      return answer.status !== 200 && answer;
    });
    expect([late.status, late.body.Error.Code]).toEqual([401, 'TokenExpired']);
    expect((await lasting.get('/Currencies')).status).toBe(200);
  });

  test('are good on their platform and for their company only', async () => {
    const { tokens } = await sandbox.caller('payments', 'demo-1');
    const abroad = callerOf('accounting', 'demo-1', tokens, sandbox.send);
    expect((await abroad.get('/Currencies')).body.Error.Code).toBe('TokenInvalid');
    const books = await sandbox.caller('accounting', 'demo-1');
    const other = await books.get('/Currencies', { 'sandbox-company': 'demo-2' });
    expect([other.status, other.body.Error.Code]).toEqual([403, 'CompanyNotGranted']);
  });

  test('without the scope write cannot write', async () => {
    const books = await sandbox.caller('accounting', 'demo-1', { scope: 'read' });
    const answer = await books.send('POST', '/Journals', {});
    expect([answer.status, answer.body.Error.Code]).toEqual([403, 'ScopeMissing']);
  });

  test('of an account can be ended from outside', async () => {
    const books = await sandbox.caller('accounting', 'demo-1');
    await sandbox.control('POST', '/accounts/demo-1/tokens', { action: 'expire' });
    expect((await books.get('/Currencies')).body.Error.Code).toBe('TokenExpired');
    expect((await refresh(books.tokens.refresh_token)).status).toBe(200);
    await sandbox.control('POST', '/accounts/demo-1/tokens', { action: 'revoke' });
    expect((await refresh(books.tokens.refresh_token)).status).toBe(400);
  });
});
