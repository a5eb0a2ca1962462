import type { FastifyReply, FastifyRequest } from 'fastify';
import { CALLBACK_PATH } from '../../connect/authorization.js';
import { AUTHORIZATION_MS } from '../../connect/authorization-store.js';
import type { Way } from './pages/page.js';
import { hashSecret } from '../../secrets/hash-secret.js';

/** Sets the cookie that identifies the browser which began an authorisation; it also holds the return URL. */
export function setStateCookie(
  reply: FastifyReply,
  state: string,
  publicUrl: string,
  { returnUrl }: Way,
): FastifyReply {
  const secure = publicUrl.startsWith('https:') ? '; Secure' : '';
  const path = new URL(publicUrl + CALLBACK_PATH).pathname;
  const value = Buffer.from(returnUrl ?? '').toString('base64url');
  return reply.header(
    'set-cookie',
    `${cookieName(state)}=${value}; Path=${path}; Max-Age=${AUTHORIZATION_MS / 1000}; HttpOnly; SameSite=Lax${secure}`,
  );
}

/** The return URL, empty if none was given; null in a browser other than the one that began. */
export function readStateCookie(request: FastifyRequest, state: string): string | null {
  const start = `${cookieName(state)}=`;
  const cookies = (request.headers.cookie ?? '').split(';').map((one) => one.trim());
  const found = cookies.find((one) => one.startsWith(start));
  return found === undefined ? null : Buffer.from(found.slice(start.length), 'base64url').toString();
}

const cookieName = (state: string): string =>
  `svc_state_${Buffer.from(hashSecret(state)).toString('hex').slice(0, 32)}`;
