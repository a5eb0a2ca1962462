import { expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { randomSecret, signatureHeaders } from '../../src/events/signature.js';

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
