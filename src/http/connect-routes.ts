import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { beginAuthorization, CALLBACK_PATH, finishAuthorization } from '../connect/authorization.js';
import type { ConnectServices } from '../connect/services.js';
import { platformChoices } from '../connect/choices.js';
import { findLink, findLinkOfState, hashState, type OpenLink } from '../connect/find-link.js';
import { AppError, toAppError } from '../errors.js';
import { describeError } from './errors.js';
import { linkPage, messagePage, type Notice, PAGE_HEADERS } from './link-page.js';

export interface ConnectOptions extends ConnectServices {
  /** Where end customers reach this service, without a slash at the end. */
  publicUrl(): string;
}

/** Requests of one address in a minute: links must not be guessed. */
const MOST_PER_MINUTE = 60;
const COOKIE_SECONDS = 30 * 60;

/**
 * The pages of an end customer: the link, the way to the platform, and the way back.
 * They need no API key: whoever has the link may use it, for its company and nothing else.
 */
export async function serveConnect(server: FastifyInstance, options: ConnectOptions): Promise<void> {
  const { pool } = options.database;
  await server.register(rateLimit, {
    max: MOST_PER_MINUTE,
    timeWindow: 60_000,
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
    if (shown.code === 'internal-error') request.log.error({ err: error }, 'a page failed');
    return sendPage(reply, shown.status, messagePage('This did not work', shown.message));
  });

  const openLink = async (request: FastifyRequest): Promise<OpenLink> => {
    const { id } = request.params as { id: string };
    const link = await findLink(pool, id);
    if (!link)
      throw new AppError(
        'not-found',
        'There is no such link. Please check its address, or ask for a new one.',
      );
    if (link.ended)
      throw new AppError(
        'not-found',
        `This link has ${link.ended === 'expired' ? 'expired' : 'been withdrawn'}. Please ask ${link.organisationName} for a new one.`,
      );
    return link;
  };
  const addressOf = (link: OpenLink) => `${options.publicUrl()}/link/${link.inviteLinkId}`;
  const show = async (reply: FastifyReply, link: OpenLink, status: number, notice: Notice | null) => {
    const choices = await platformChoices(options.database.client(link.scope), link);
    return sendPage(reply, status, linkPage(link, addressOf(link), choices, notice));
  };

  server.get('/link/:id', async (request, reply) => {
    const link = await openLink(request);
    const { connected } = request.query as { connected?: unknown };
    const notice: Notice | null =
      typeof connected === 'string'
        ? {
            kind: 'success',
            text: 'Thank you: it is connected, and the records are on their way. You can close this page.',
          }
        : null;
    return show(reply, link, 200, notice);
  });

  server.post('/link/:id', async (request, reply) => {
    const link = await openLink(request);
    const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams();
    const [integrationType = '', category = ''] = (form.get('platform') ?? '').split(':');
    try {
      const address = await beginAuthorization(options, link, {
        integrationType,
        category,
        redirectUri: options.publicUrl() + CALLBACK_PATH,
      });
      const state = new URL(address).searchParams.get('state') ?? '';
      return await reply.header('set-cookie', stateCookie(state, options.publicUrl())).redirect(address, 303);
    } catch (error) {
      return failed(request, reply, link, error);
    }
  });

  server.get(CALLBACK_PATH, async (request, reply) => {
    const callback = new URL(request.url, 'http://callback').searchParams;
    const state = callback.get('state') ?? '';
    const link = await findLinkOfState(pool, state);
    // The browser that comes back must be the one that left: nobody can lend a customer his own account.
    if (!link || !hasStateCookie(request, state)) {
      throw new AppError(
        'invalid-params',
        'This answer belongs to no authorisation that was begun in this browser. Please begin again from your link.',
      );
    }
    try {
      await finishAuthorization(options, link, callback);
      return await reply.redirect(`${addressOf(link)}?connected=1`, 303);
    } catch (error) {
      return failed(request, reply, link, error);
    }
  });

  /** Back on the link's page, with what went wrong and the choices to try again. */
  function failed(request: FastifyRequest, reply: FastifyReply, link: OpenLink, error: unknown) {
    const shown = toAppError(error);
    if (shown.code === 'internal-error') request.log.error({ err: error }, 'connecting failed');
    else request.log.info({ code: shown.code }, 'connecting was refused');
    const text = `It was not connected: ${shown.message}. You can try again.`;
    if (link.ended) return sendPage(reply, shown.status, messagePage('This did not work', shown.message));
    return show(reply, link, shown.status, { kind: 'failure', text });
  }
}

function sendPage(reply: FastifyReply, status: number, page: string) {
  return reply.code(status).headers(PAGE_HEADERS).type('text/html; charset=utf-8').send(page);
}

const cookieName = (state: string): string =>
  `svc_state_${Buffer.from(hashState(state)).toString('hex').slice(0, 32)}`;

function stateCookie(state: string, publicUrl: string): string {
  const secure = publicUrl.startsWith('https:') ? '; Secure' : '';
  const path = new URL(publicUrl + CALLBACK_PATH).pathname;
  return `${cookieName(state)}=1; Path=${path}; Max-Age=${COOKIE_SECONDS}; HttpOnly; SameSite=Lax${secure}`;
}

function hasStateCookie(request: FastifyRequest, state: string): boolean {
  const cookies = (request.headers.cookie ?? '').split(';').map((one) => one.trim());
  return cookies.includes(`${cookieName(state)}=1`);
}
