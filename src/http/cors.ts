import type { FastifyReply, FastifyRequest } from 'fastify';

/** Exposes all headers, including those from platforms: requests send no cookies, so browsers accept the wildcard. */
const SHOWN = '*';

/** How long a browser may cache a preflight: Chromium's maximum. */
const MAX_AGE_SECONDS = '7200';
const HARMLESS = /^[\w\s,-]{1,1000}$/;

/** Whether pages of an origin may call the service. `*` allows every origin. */
export const allowsOrigin = (origins: readonly string[], origin: string | undefined): origin is string =>
  origin !== undefined && (origins.includes('*') || origins.includes(origin));

/**
 * Lets pages of these origins read responses (CORS). Keys are headers that a page sends itself: no cookies are used or
 * allowed.
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

/** Answers OPTIONS of a path with these `methods`, including CORS preflights. */
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
