import type { FastifyReply, FastifyRequest } from 'fastify';

/** Exposes all headers, including those from platforms: requests send no cookies, so browsers accept the wildcard. */
const SHOWN = '*';

/** How long a browser may cache a preflight: Chromium's maximum. */
const MAX_AGE_SECONDS = '7200';
const HARMLESS = /^[\w\s,-]{1,1000}$/;

const harmless = (value: string | undefined): string | undefined =>
  value !== undefined && HARMLESS.test(value) ? value : undefined;

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

/**
 * Whether a page that may call the service asks whether it may: a preflight. That of an unknown path has to be allowed,
 * too: the browser would report a fault of CORS and hide the 404.
 */
export function isPreflight({ method, headers }: FastifyRequest, origins: readonly string[]): boolean {
  const asks = method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
  return asks && allowsOrigin(origins, headers.origin);
}

/** Answers OPTIONS of a path with these `methods`, including CORS preflights; with those asked for if it has none. */
export function answerOptions(
  request: FastifyRequest,
  reply: FastifyReply,
  { methods, origins }: { readonly methods: string; readonly origins: readonly string[] },
): void {
  void reply.code(204);
  if (methods !== '') void reply.header('allow', methods);
  if (isPreflight(request, origins)) {
    const { headers } = request;
    const asked = harmless(headers['access-control-request-method']);
    const wanted = harmless(headers['access-control-request-headers']);
    const allowed = methods === '' ? asked : methods;
    if (allowed !== undefined) void reply.header('access-control-allow-methods', allowed);
    if (wanted !== undefined) void reply.header('access-control-allow-headers', wanted);
    void reply.header('access-control-max-age', MAX_AGE_SECONDS);
  }
  void reply.send();
}
