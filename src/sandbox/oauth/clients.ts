import type { RegisteredClient } from '../settings.js';

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]'];

/**
 * Whether a redirect URI is registered for a client: an exact match, except that the port of a loopback host may
 * differ (RFC 8252, 7.3).
 */
export function isRegisteredUri(client: RegisteredClient, uri: string): boolean {
  return client.redirectUris.some((known) => known === uri || isSameLoopback(known, uri));
}

function isSameLoopback(known: string, uri: string): boolean {
  if (!URL.canParse(known) || !URL.canParse(uri)) return false;
  const [one, other] = [new URL(known), new URL(uri)];
  if (one.protocol !== 'http:' || !LOOPBACK.includes(one.hostname)) return false;
  one.port = '';
  other.port = '';
  return one.href === other.href;
}
