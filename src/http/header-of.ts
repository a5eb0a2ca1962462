import type { FastifyRequest } from 'fastify';

/** A header that is sent once; null without it. */
export function headerOf(request: FastifyRequest, name: string): string | null {
  const value = request.headers[name];
  return typeof value === 'string' ? value : null;
}
