import { describe, expect, test } from '@jest/globals';

import { verdictByStatus } from '../../src/connectors/answers.js';
import { classifyXero } from '../../src/connectors/xero/answers.js';

const byStatus = (status: number, headers: Readonly<Record<string, string>> = {}) =>
  verdictByStatus({ status, headers });

describe('an answer means by its status', () => {
  test.each([200, 201, 204])('%i: ok', (status) => {
    expect(byStatus(status)).toEqual({ kind: 'ok' });
  });

  test.each([301, 400, 403, 404, 409, 422])('%i: refused', (status) => {
    expect(byStatus(status, { 'retry-after': '5' })).toEqual({ kind: 'refused' });
  });

  test.each([408, 425, 500, 502, 504])('%i: again', (status) => {
    expect(byStatus(status, { 'retry-after': '5' })).toEqual({ kind: 'again', retryAfterMs: null });
  });

  test('503: again, after the pause that it names', () => {
    expect(byStatus(503, { 'retry-after': '5' })).toEqual({ kind: 'again', retryAfterMs: 5000 });
  });

  test('429: throttled, until the time that it names', () => {
    expect(byStatus(429)).toEqual({ kind: 'throttled', retryAfterMs: null });
    expect(byStatus(429, { 'retry-after': '2.5' })).toEqual({ kind: 'throttled', retryAfterMs: 2500 });
    const inAnHour = new Date(Date.now() + 3_600_000).toUTCString();
    const { retryAfterMs } = byStatus(429, { 'retry-after': inAnHour }) as { retryAfterMs: number };
    expect(Math.abs(retryAfterMs - 3_600_000)).toBeLessThan(60_000);
  });

  test('401: the token has ended, but where only its scope is too small', () => {
    expect(byStatus(401)).toEqual({ kind: 'access ended', isToken: true });
    const headers = { 'www-authenticate': 'Bearer error="insufficient_scope", scope="books"' };
    expect(byStatus(401, headers)).toEqual({ kind: 'refused' });
  });
});

describe("an answer of Xero's", () => {
  const classify = (status: number, body: object | null, method: 'GET' | 'PUT' = 'GET') =>
    classifyXero({ method, status, headers: {}, body: body as Readonly<Record<string, unknown>> | null });

  test('of 403 after the organisation was disconnected ends the access', () => {
    const ended = { kind: 'access ended', isToken: false };
    expect(classify(403, { Status: 403, Detail: 'AuthenticationUnsuccessful' })).toEqual(ended);
    expect(classify(403, { status: 403, detail: 'AuthenticationUnsuccessful' })).toEqual(ended);
    expect(classify(403, { Status: 403, Detail: 'Payroll is not for this user' })).toBeNull();
    expect(classify(403, null)).toBeNull();
  });

  test('of 401 for a scope that was not granted is a refusal, and the access goes on', () => {
    expect(classify(401, { Status: 401, Detail: 'AuthorizationUnsuccessful' })).toEqual({ kind: 'refused' });
    expect(classify(401, { Status: 401, Detail: 'TokenExpired: token expired' })).toBeNull();
  });

  test('of 400 says what is wrong with what was sent', () => {
    const errors = [{ Message: 'Name is taken' }, { Message: 'Email is no address' }];
    const body = {
      Message: 'A validation exception occurred',
      Elements: [{ Name: 'Acme', ValidationErrors: errors }],
    };
    expect(classify(400, body, 'PUT')).toEqual({
      kind: 'refused',
      words: 'A validation exception occurred; Name is taken; Email is no address',
    });
    expect(classify(400, { Message: 'no' })).toEqual({ kind: 'refused' });
  });

  test('of 200 to a write refuses it where the object says so; one that is read may hold the word', () => {
    const body = { Status: 'OK', Contacts: [{ StatusAttributeString: 'ERROR' }] };
    expect(classify(200, body, 'PUT')).toEqual({ kind: 'refused' });
    expect(classify(200, body, 'GET')).toBeNull();
    expect(classify(200, { Contacts: [{ StatusAttributeString: 'OK' }] }, 'PUT')).toBeNull();
  });

  const ValidationErrors = [{ Message: 'Name is taken' }];
  const nil = '00000000-0000-0000-0000-000000000000';
  test.each([
    ['Payments', { HasValidationErrors: true }],
    ['Invoices', { HasErrors: true }],
    ['Accounts', { ValidationErrors }],
    ['BankTransfers', { BankTransferID: nil }],
    ['Contacts', { ContactID: nil, StatusAttributeString: 'OK' }],
  ])('of 200 to a write refuses one of %s by %j', (list, object) => {
    expect(classify(200, { [list]: [object] }, 'PUT')).toEqual({ kind: 'refused' });
  });

  test.each([
    ['CreditNotes', { StatusAttributeString: 'OK', ValidationErrors }],
    ['Payments', { HasValidationErrors: false, ValidationErrors: [], BatchPaymentID: nil }],
    ['Payments', { Invoice: { InvoiceID: nil, HasErrors: true } }],
  ])('of 200 to a write does not refuse one of %s by %j', (list, object) => {
    expect(classify(200, { [list]: [object] }, 'PUT')).toBeNull();
  });
});
