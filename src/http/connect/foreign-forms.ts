import type { FastifyInstance, FastifyRequest } from 'fastify';

import { sendPage } from './link-answers.js';
import { messagePage } from './pages/page.js';

const FOREIGN =
  'This was sent by another website, so nothing was done. Please open your link, and choose there.';

/**
 * Refuses forms of other sites: they would begin an authorisation, or end a connection, in the name of a customer who
 * only visits them.
 */
export function refuseForeignForms(server: FastifyInstance, publicUrl: () => string): void {
  server.addHook('onRequest', (request, reply, done) => {
    if (request.method !== 'POST' || !isForeign(request, publicUrl())) return done();
    const { id } = request.params as { readonly id?: string };
    // Also for pages of this service that were opened at another of its addresses.
    const link = id === undefined ? null : `${publicUrl()}/link/${encodeURIComponent(id)}`;
    void sendPage(reply, 403, messagePage(FOREIGN, link));
  });
}

/**
 * Old browsers send no `Sec-Fetch-Site`, and others none by http to another machine, but an origin; it is `null` for pages
 * of other sites that hide theirs. Other programs send neither.
 */
function isForeign({ headers, host }: FastifyRequest, publicUrl: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'cross-site';
  const { origin } = headers;
  if (origin === undefined) return false;
  return origin !== new URL(publicUrl).origin && !(URL.canParse(origin) && new URL(origin).host === host);
}
