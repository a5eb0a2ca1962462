import type { FastifyInstance } from 'fastify';
import { AppError } from '../errors.js';

/** The path of the public URL, which prefixes every route; empty if there is none. */
export const prefixOf = (publicUrl: string | null): string =>
  publicUrl === null ? '' : new URL(publicUrl).pathname.replace(/\/+$/, '');

/** A URL without the prefix: a proxy in front may keep or strip it. */
export function withoutPrefix(url: string, prefix: string): string {
  if (prefix === '' || !url.startsWith(prefix)) return url;
  const rest = url.slice(prefix.length);
  if (rest === '') return '/';
  return rest.startsWith('/') ? rest : rest.startsWith('?') ? `/${rest}` : url;
}

/** Refuses a prefix with which a route also begins: requests to that route would lose their beginning. */
export function refuseOwnPaths(server: FastifyInstance, prefix: string): void {
  if (prefix === '') return;
  server.addHook('onRoute', ({ url }) => {
    if (!`${url}/`.startsWith(`${prefix}/`)) return;
    const words = `may not have the path ${prefix}: ${url} is a path of the service itself`;
    throw new AppError('invalid-params', words, 'PUBLIC_URL');
  });
}
