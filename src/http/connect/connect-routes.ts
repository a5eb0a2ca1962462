import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance } from 'fastify';

import { AppError, isOverSoon } from '../../errors.js';
import { logHidden } from '../../graphql/errors.js';
import { upperFirst } from '../../base/names.js';
import { describeError } from '../errors.js';
import { serveCallback } from './callback-routes.js';
import { refuseForeignForms } from './foreign-forms.js';
import { type ConnectOptions, LinkAnswers, sendPage } from './link-answers.js';
import { serveLinks } from './link-routes.js';
import { messagePage } from './pages/page.js';

/** Maximum requests per address and minute: links must not be guessed. */
export const MAX_PER_MINUTE = 60;

/**
 * Pages for end customers: the link, the redirect to the platform, and the callback. They need no API key: anybody with
 * the link may use it, for its company only.
 */
export async function serveConnect(server: FastifyInstance, options: ConnectOptions): Promise<void> {
  await server.register(rateLimit, {
    max: MAX_PER_MINUTE,
    timeWindow: 60_000,
    keyGenerator: ({ address }) => address,
    errorResponseBuilder: () =>
      new AppError('rate-limited', 'too many requests from your address; wait a minute'),
  });
  server.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_request, body, done) => done(null, new URLSearchParams(body as string)),
  );
  server.setErrorHandler((error, request, reply) => {
    const shown = describeError(error);
    logHidden(shown, request.log, 'a page failed');
    if (isOverSoon(shown) && !reply.hasHeader('retry-after')) void reply.header('retry-after', '1');
    return sendPage(reply, shown.status, messagePage(upperFirst(shown.message)));
  });
  refuseForeignForms(server, () => options.publicUrl());
  const answers = new LinkAnswers(options);
  serveLinks(server, options, answers);
  serveCallback(server, options, answers);
}
