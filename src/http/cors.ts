import type { FastifyReply, FastifyRequest } from 'fastify';

/** Headers of ours that a page may read; those of every answer it may read anyway. */
const SHOWN = [
  'content-disposition',
  'etag',
  'idempotent-replayed',
  'link',
  'ratelimit',
  'ratelimit-policy',
  'retry-after',
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'x-request-id',
  'x-svc-change-position',
  'x-svc-connection-id',
  'x-svc-item-warning',
  'x-svc-poll-overlap',
  'x-svc-warning',
].join(', ');

/** How long a browser may remember a preflight: what Chromium remembers at most. */
const MAX_AGE_SECONDS = '7200';
const HARMLESS = /^[\w\s,-]{1,1000}$/;

/** Whether pages of an origin may call the service. `*` stands for every origin. */
export const allowsOrigin = (origins: readonly string[], origin: string | undefined): origin is string =>
  origin !== undefined && (origins.includes('*') || origins.includes(origin));

/**
 * Lets pages of these origins read an answer (CORS). A key is a header that the page sends itself: there are no cookies
 * that another page could use, and none are allowed.
 */
export function shareWithPages(
  request: FastifyRequest,
  reply: FastifyReply,
  origins: readonly string[],
): void {
  if (origins.length === 0) return;
  const vary = String(reply.getHeader('vary') ?? '');
  void reply.header('vary', vary === '' ? 'Origin' : `${vary}, Origin`);
  const { origin } = request.headers;
  if (!allowsOrigin(origins, origin)) return;
  void reply.header('access-control-allow-origin', origin).header('access-control-expose-headers', SHOWN);
}

/** Answers OPTIONS of a path that takes `methods`, and the question of a browser whether a page may send what it wants to. */
export function answerOptions(
  request: FastifyRequest,
  reply: FastifyReply,
  { methods, origins }: { readonly methods: string; readonly origins: readonly string[] },
): void {
  void reply.code(204).header('allow', methods);
  const { origin, ...headers } = request.headers;
  if (headers['access-control-request-method'] !== undefined && allowsOrigin(origins, origin)) {
    const wanted = headers['access-control-request-headers'];
    void reply
      .header('access-control-allow-methods', methods)
      .header('access-control-max-age', MAX_AGE_SECONDS);
    if (wanted !== undefined && HARMLESS.test(wanted)) {
      void reply.header('access-control-allow-headers', wanted);
    }
  }
  void reply.send();
}
