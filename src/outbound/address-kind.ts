import { BlockList, isIPv4 } from 'node:net';

/** Kind of an address: public, of this machine and its networks, or never to be called. */
export type AddressKind = 'public' | 'private' | 'never';

type Range = readonly [network: string, prefix: number];

/** This machine, private networks, and ranges that carriers and clouds use as such. */
const PRIVATE = listOf([
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['::1', 128],
  ['fc00::', 7],
]);

/** Unspecified, link-local (the metadata of clouds), multicast, reserved, and ways to write one address as another. */
const NEVER = listOf([
  ['0.0.0.0', 8],
  ['100.100.100.200', 32],
  ['169.254.0.0', 16],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
  ['fd00:ec2::254', 128],
]);

/** The only globally routable range of IPv6. */
const GLOBAL_IPV6 = listOf([['2000::', 3]]);

/** The kind of an address; IPv4-mapped IPv6 addresses count as IPv4. `text` comes from DNS or a URL. */
export function addressKind(text: string): AddressKind {
  const address = unmapAddress(text.replace(/%.*$/, ''));
  const family = isIPv4(address) ? 'ipv4' : 'ipv6';
  if (NEVER.check(address, family)) return 'never';
  if (PRIVATE.check(address, family)) return 'private';
  return family === 'ipv4' || GLOBAL_IPV6.check(address, family) ? 'public' : 'never';
}

/** `::ffff:7f00:1`, as URL writes such addresses, is 127.0.0.1. */
export function unmapAddress(text: string): string {
  const dotted = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(text)?.[1];
  if (dotted !== undefined) return dotted;
  const [, high = '', low = ''] = /^::ffff:([\da-f]{1,4}):([\da-f]{1,4})$/i.exec(text) ?? [];
  if (high === '') return text;
  return Buffer.from(high.padStart(4, '0') + low.padStart(4, '0'), 'hex').join('.');
}

function listOf(ranges: readonly Range[]): BlockList {
  const list = new BlockList();
  for (const [network, prefix] of ranges) {
    list.addSubnet(network, prefix, isIPv4(network) ? 'ipv4' : 'ipv6');
  }
  return list;
}
