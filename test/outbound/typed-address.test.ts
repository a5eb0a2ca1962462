import { describe, expect, test } from '@jest/globals';
import { addressKind } from '../../src/outbound/address-kind.js';
import { parseTypedAddress } from '../../src/outbound/typed-address.js';

const parse = (url: unknown, allowPrivate = false) => parseTypedAddress(url, 'url', { allowPrivate });

/** Ways to write addresses that are not the world's; the second tells whether private ones may be called. */
const LITERALS: readonly [string, 'private' | 'never'][] = [
  ['127.0.0.1', 'private'],
  ['127.1', 'private'],
  ['2130706433', 'private'],
  ['0x7f.1', 'private'],
  ['0x7f000001', 'private'],
  ['0177.0.0.1', 'private'],
  ['017700000001', 'private'],
  ['127.0.0.1.', 'private'],
  ['１２７.0.0.1', 'private'],
  ['127。0。0。1', 'private'],
  ['①②⑦.⓪.⓪.①', 'private'],
  ['localhost', 'private'],
  ['LOCALHOST.', 'private'],
  ['ⓛocalhost', 'private'],
  ['api.localhost', 'private'],
  ['10.1.2.3', 'private'],
  ['100.64.0.1', 'private'],
  ['172.16.0.1', 'private'],
  ['172.31.255.255', 'private'],
  ['192.168.0.1', 'private'],
  ['[::1]', 'private'],
  ['[0:0:0:0:0:0:0:1]', 'private'],
  ['[fc00::1]', 'private'],
  ['[fd12:3456::1]', 'private'],
  ['[::ffff:127.0.0.1]', 'private'],
  ['[::ffff:7f00:1]', 'private'],
  ['[::ffff:10.0.0.1]', 'private'],
  ['0.0.0.0', 'never'],
  ['0', 'never'],
  ['[::]', 'never'],
  ['169.254.169.254', 'never'],
  ['0xa9fea9fe', 'never'],
  ['[::ffff:169.254.169.254]', 'never'],
  ['[fe80::1]', 'never'],
  ['[fd00:ec2::254]', 'never'],
  ['100.100.100.200', 'never'],
  ['192.0.0.192', 'never'],
  ['192.0.2.1', 'never'],
  ['198.18.0.1', 'never'],
  ['224.0.0.1', 'never'],
  ['255.255.255.255', 'never'],
  ['[64:ff9b::7f00:1]', 'never'],
  ['[64:ff9b:1::1]', 'never'],
  ['[2002:7f00:1::]', 'never'],
  ['[2001:0:7f00:1::]', 'never'],
  ['[2001:db8::1]', 'never'],
  ['[::127.0.0.1]', 'never'],
  ['[fec0::1]', 'never'],
  ['[ff02::1]', 'never'],
];

describe('an address that is typed in', () => {
  test.each(LITERALS)('as https://%s/ is refused, or only where private ones are allowed', (host, kind) => {
    const url = `https://${host}/hook`;
    expect(() => parse(url)).toThrow('url must be a public address');
    if (kind === 'private') expect(parse(url, true)).toContain('/hook');
    else expect(() => parse(url, true)).toThrow('url must be an address such as');
  });

  test.each([
    '172.32.0.1',
    '100.128.0.1',
    '9.255.255.255',
    '11.0.0.0',
    '128.0.0.1',
    '169.253.0.1',
    '[2600::1]',
  ])('of the world beside such ranges, https://%s/, is taken', (host) => {
    expect(parse(`https://${host}/`)).toBe(`https://${host}/`);
    expect(parse(`https://${host}/`, true)).toBe(`https://${host}/`);
  });

  test('without TLS is only for private ones', () => {
    expect(() => parse('http://hooks.example.com/')).toThrow('must be a public address');
    expect(() => parse('http://127.0.0.1:5000/')).toThrow('must be a public address');
    expect(parse('http://127.0.0.1:5000/', true)).toBe('http://127.0.0.1:5000/');
    expect(() => parse('http://93.184.216.34/', true)).toThrow('http only on this machine');
    // Where its name leads shows when it is called.
    expect(parse('http://receiver:5000/', true)).toBe('http://receiver:5000/');
  });

  test.each([
    'hooks.example.com',
    '//hooks.example.com',
    'ftp://hooks.example.com',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'https://',
    'https://user@hooks.example.com',
    'https://user:word@hooks.example.com',
    'https://999.1.1.1/',
    'https://hooks.example.com:99999/',
    `https://hooks.example.com/${'x'.repeat(2000)}`,
  ])('that is %s is refused', (url) => {
    expect(() => parse(url)).toThrow('url must be a public address');
    expect(() => parse(url, true)).toThrow('url must be an address such as');
  });

  test('with the port 0 is refused', () => {
    expect(() => parse('https://hooks.example.com:0/')).toThrow('url must not have the port 0');
    expect(() => parse('http://127.0.0.1:0/', true)).toThrow('url must not have the port 0');
  });

  test('is kept as it is called, without what no server sees', () => {
    expect(parse(' HTTPS://Hooks.Example.com:443/a b?c=%20#part ')).toBe(
      'https://hooks.example.com/a%20b?c=%20',
    );
    expect(() => parse(7)).toThrow('url must be a string');
  });
});

test('addresses that a look-up gives are told apart as literals are', () => {
  for (const [host, kind] of LITERALS) {
    const { hostname } = new URL(`https://${host}`);
    if (!/^[[\d]/.test(hostname)) continue;
    expect({ hostname, kind: addressKind(hostname.replace(/[[\]]/g, '')) }).toEqual({ hostname, kind });
  }
  expect(addressKind('fe80::1%eth0')).toBe('never');
  expect(addressKind('::ffff:8.8.8.8')).toBe('public');
  expect(addressKind('8.8.8.8')).toBe('public');
});
