import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { unmapAddress } from '../outbound/address-kind.js';

/**
 * The caller's address; `trustProxy` is the number of proxies in front whose entries of X-Forwarded-For are trusted.
 * Some proxies write a port, which differs with each connection, or a word such as `unknown`: that of the connection is
 * used then. Empty if that was reset.
 */
export function callerAddress({ headers, socket }: IncomingMessage, trustProxy: number): string {
  const forwarded = String(headers['x-forwarded-for'] ?? '')
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');
  const trusted = (trustProxy > 0 ? forwarded.slice(-trustProxy)[0] : undefined) ?? '';
  return addressIn(trusted) ?? addressIn(socket.remoteAddress ?? '') ?? '';
}

/** The address in `1.2.3.4:5678` or `[2001:db8::1]:443`; null if there is none. */
function addressIn(text: string): string | null {
  const host = /^\[(.+)\](:\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
  return isIP(host) === 0 ? null : unmapAddress(host);
}
