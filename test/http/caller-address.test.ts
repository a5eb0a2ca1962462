import type { IncomingMessage } from 'node:http';
import { expect, test } from '@jest/globals';
import { callerAddress } from '../../src/http/caller-address.js';

const PROXY = '10.0.0.1';

test.each([
  ['198.51.100.1', '198.51.100.1'],
  ['198.51.100.1:5678', '198.51.100.1'],
  ['203.0.113.9, 198.51.100.1:5678', '198.51.100.1'],
  ['2001:db8::1', '2001:db8::1'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['[2001:db8::1]:443', '2001:db8::1'],
  ['::ffff:198.51.100.1', '198.51.100.1'],
  ['::FFFF:c633:6401', '198.51.100.1'],
  ['[::ffff:198.51.100.1]:443', '198.51.100.1'],
  ['unknown', PROXY],
  ['<script>', PROXY],
  ['198.51.100.1, unknown', PROXY],
  ['198.51.100.256', PROXY],
  ['198.51.100.1:', PROXY],
  ['[198.51.100.1', PROXY],
  [' , ', PROXY],
  [undefined, PROXY],
])('with X-Forwarded-For %p, the caller is at %s', (told, address) => {
  expect(callerAddress(requestWith(told), 1)).toBe(address);
});

test('as many entries are trusted as there are proxies', () => {
  const request = requestWith('203.0.113.9, 198.51.100.1, 198.51.100.2');
  expect([0, 1, 2, 3, 4].map((proxies) => callerAddress(request, proxies))).toEqual([
    PROXY,
    '198.51.100.2',
    '198.51.100.1',
    '203.0.113.9',
    '203.0.113.9',
  ]);
});

test('a connection that was reset has no address', () => {
  expect(callerAddress({ headers: {}, socket: {} } as IncomingMessage, 0)).toBe('');
});

/** As it comes from a proxy, to a server that listens on `::`. */
const requestWith = (told: string | undefined) =>
  ({
    headers: { 'x-forwarded-for': told },
    socket: { remoteAddress: `::ffff:${PROXY}` },
  }) as unknown as IncomingMessage;
