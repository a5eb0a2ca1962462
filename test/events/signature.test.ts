import { expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { isSigned, randomSecret, signatureHeaders } from '../../src/events/signature.js';

const body = '{"type":"CREATE","data":{"name":"Ånn €"}}';
const sign = (...secrets: string[]) => signatureHeaders({ id: 'evt_1', body, sentAt: new Date(), secrets });

test('events are signed as Standard Webhooks says', () => {
  const secret = randomSecret();
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  const headers = sign(secret);
  expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
  expect(() => new Webhook(secret).verify(`${body} `, headers)).toThrow('No matching signature');
  expect(() => new Webhook(secret).verify(body, { ...headers, 'webhook-id': 'evt_2' })).toThrow(
    'No matching signature',
  );
  expect(() => new Webhook(randomSecret()).verify(body, headers)).toThrow('No matching signature');
});

test('two secrets sign, and receivers with either of them accept', () => {
  const [before, after] = [randomSecret(), randomSecret()];
  const headers = sign(after, before);
  for (const secret of [before, after]) {
    expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
  }
});

test('a signature is known by its secret, its body and its time', () => {
  const [secret, other] = [randomSecret(), randomSecret()];
  const headers = sign(other, secret);
  const now = new Date();
  expect(isSigned(headers, body, { secret, now })).toBe(true);
  expect(isSigned(headers, body, { secret: randomSecret(), now })).toBe(false);
  expect(isSigned(headers, `${body} `, { secret, now })).toBe(false);
  expect(isSigned({ ...headers, 'webhook-id': 'evt_2' }, body, { secret, now })).toBe(false);
  expect(isSigned({}, body, { secret, now })).toBe(false);
  const odd = { ...headers, 'webhook-signature': headers['webhook-signature']?.replaceAll('v1', 'é1') };
  expect(isSigned(odd, body, { secret, now })).toBe(false);
  for (const minutes of [-6, 6]) {
    const then = new Date(now.getTime() + minutes * 60_000);
    expect(isSigned(headers, body, { secret, now: then })).toBe(false);
  }
});
