import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import {
  type AccountChoice,
  beginAuthorization,
  CALLBACK_PATH,
  chooseAccounts,
  chosenConnector,
  finishAuthorization,
  offeredAccounts,
  openByForm,
} from '../connect/authorization.js';
import { platformChoices } from '../connect/choices.js';
import { findLink, findLinkOfState, hashState, type OpenLink } from '../connect/find-link.js';
import type { Typed } from '../connect/given.js';
import { allowedReturn } from '../connect/return-url.js';
import type { ConnectServices } from '../connect/services.js';
import type { Connected } from '../connect/store-connection.js';
import type { Connector } from '../connectors/connector.js';
import { AppError, isOverSoon, toAppError } from '../errors.js';
import { logHidden } from '../graphql/errors.js';
import { disconnectByLink } from '../operations/connections/disconnect.js';
import { describeError } from './errors.js';
import { accountsPage } from './link-pages/accounts-page.js';
import { disconnectPage } from './link-pages/disconnect-page.js';
import { linkPage } from './link-pages/link-page.js';
import { hrefOf, messagePage, type Notice, PAGE_HEADERS, RETURN_FIELD, type Way } from './link-pages/page.js';
import { FIELD_PREFIX, platformPage, type Wrong } from './link-pages/platform-page.js';

interface ConnectOptions extends ConnectServices {
  /** Where end customers reach this service, without a slash at the end. */
  publicUrl(): string;
}

/** Maximum requests per address and minute: links must not be guessed. */
const MAX_PER_MINUTE = 60;
const COOKIE_SECONDS = 30 * 60;

/**
 * Pages for end customers: the link, the redirect to the platform, and the callback. They need no API key: anybody with
 * the link may use it, for its company only.
 */
export async function serveConnect(server: FastifyInstance, options: ConnectOptions): Promise<void> {
  const { pool } = options.database;
  await server.register(rateLimit, {
    max: MAX_PER_MINUTE,
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
    logHidden(shown, request.log, 'a page failed');
    if (isOverSoon(shown.code) && !reply.hasHeader('retry-after')) void reply.header('retry-after', '1');
    return sendPage(reply, shown.status, messagePage(shown.message));
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
  const callbackAddress = () => options.publicUrl() + CALLBACK_PATH;
  const choicesOf = (link: OpenLink) => platformChoices(options.database.client(link.scope), link);
  /** The URL state of a link's page, with the return URL if it is allowed. */
  const wayOf = async (link: OpenLink, returnUrl: unknown): Promise<Way> => ({
    address: addressOf(link),
    returnUrl: await allowedReturn(options.database.client(link.scope), returnUrl),
  });
  const show = async (reply: FastifyReply, link: OpenLink, way: Way, shown: Shown) =>
    sendPage(reply, shown.status, linkPage(link, way, await choicesOf(link), shown.notice));

  server.get('/link/:id', async (request, reply) => {
    const link = await openLink(request);
    const query = request.query as Readonly<Record<string, unknown>>;
    const way = await wayOf(link, query[RETURN_FIELD]);
    if (typeof query['platform'] === 'string') {
      const connector = await chosenConnector(options, link, parsePlatform(query['platform']));
      return sendPage(reply, 200, platformPage(link, { connector, way, typed: {}, wrong: null }));
    }
    if (typeof query['disconnect'] === 'string') {
      const found = await shownConnection(link, query['disconnect']);
      return sendPage(reply, 200, disconnectPage(link, { ...found, way }));
    }
    return show(reply, link, way, { status: 200, notice: noticeOf(query) });
  });

  server.post('/link/:id', async (request, reply) => {
    const link = await openLink(request);
    const form = formOf(request);
    const way = await wayOf(link, form.get(RETURN_FIELD));
    const typed = typedIn(form);
    const chosen = { ...parsePlatform(form.get('platform') ?? ''), redirectUri: callbackAddress(), typed };
    let connector: Connector | null = null;
    try {
      connector = await chosenConnector(options, link, chosen);
      if (connector.access.kind === 'form') {
        return await goOn(reply, link, way, await openByForm(options, link, chosen));
      }
      const address = await beginAuthorization(options, link, chosen);
      const state = new URL(address).searchParams.get('state') ?? '';
      return await withState(reply, state, way).redirect(address, 303);
    } catch (error) {
      if (!connector || connector.access.fields.length === 0)
        return failed(request, reply, { link, way, error });
      const shown = failureOf(request, error);
      const wrong = wrongOf(connector, shown);
      return sendPage(reply, shown.status, platformPage(link, { connector, way, typed, wrong }));
    }
  });

  server.post('/link/:id/disconnect', async (request, reply) => {
    const link = await openLink(request);
    const form = formOf(request);
    const way = await wayOf(link, form.get(RETURN_FIELD));
    const { connection } = await shownConnection(link, form.get('connection') ?? '');
    await disconnectByLink({ ...options, log: request.log }, link, connection.connectionId);
    return reply.redirect(hrefOf(way, { disconnected: '1' }), 303);
  });

  server.get(CALLBACK_PATH, async (request, reply) => {
    const callback = new URL(request.url, 'http://callback').searchParams;
    const { link, way } = await linkOfState(request, callback.get('state') ?? '');
    try {
      return await goOn(reply, link, way, await finishAuthorization(options, link, callback));
    } catch (error) {
      return failed(request, reply, { link, way, error });
    }
  });

  /** The accounts chosen from a consent that covers several. */
  server.post(CALLBACK_PATH, async (request, reply) => {
    const form = formOf(request);
    const state = form.get('state') ?? '';
    const { link, way } = await linkOfState(request, state);
    const externalAccountIds = form.getAll('account');
    try {
      if (externalAccountIds.length === 0) {
        const offered = await offeredAccounts(options, link, state);
        return await showAccounts(reply.code(400), link, way, {
          ...offered,
          wrong: 'Choose one account at least.',
        });
      }
      const { length } = await chooseAccounts(options, link, { state, externalAccountIds });
      return await reply.redirect(hrefOf(way, { connected: String(length) }), 303);
    } catch (error) {
      return failed(request, reply, { link, way, error });
    }
  });

  /**
   * The callback must come from the browser that began: nobody can trick a customer into connecting someone else's
   * account.
   */
  async function linkOfState(request: FastifyRequest, state: string) {
    const link = await findLinkOfState(pool, state);
    const cookie = readStateCookie(request, state);
    if (link && cookie !== null) return { link, way: await wayOf(link, cookie) };
    throw new AppError(
      'invalid-params',
      'This answer does not belong to an authorisation started in this browser. Please start again from your link.',
    );
  }

  /** Redirects when connected, or to the choice of accounts. */
  function goOn(reply: FastifyReply, link: OpenLink, way: Way, made: Connected | AccountChoice) {
    if (!('accounts' in made)) return reply.redirect(hrefOf(way, { connected: '1' }), 303);
    return showAccounts(withState(reply, made.state, way), link, way, { ...made, wrong: null });
  }

  async function showAccounts(
    reply: FastifyReply,
    link: OpenLink,
    way: Way,
    choice: AccountChoice & { readonly wrong: string | null },
  ) {
    const found = (await choicesOf(link)).find(({ connector }) => connector === choice.connector);
    const connections = found?.connections ?? [];
    const shown = accountsPage(link, { ...choice, action: callbackAddress(), way, connections });
    return sendPage(reply, reply.statusCode, shown);
  }

  const withState = (reply: FastifyReply, state: string, way: Way) =>
    reply.header('set-cookie', stateCookie(state, options.publicUrl(), way));

  /** A connection shown on the link's page. */
  async function shownConnection(link: OpenLink, id: string) {
    for (const { connector, connections } of await choicesOf(link)) {
      const connection = connections.find(({ connectionId }) => String(connectionId) === id);
      if (connection) return { connector, connection };
    }
    throw new AppError('not-found', 'There is no such connection here.');
  }

  /** Shows the link's page again with the error and the choices. */
  function failed(request: FastifyRequest, reply: FastifyReply, { link, way, error }: Failed) {
    const shown = failureOf(request, error);
    const text = notConnected(shown);
    if (link.ended) return sendPage(reply, shown.status, messagePage(shown.message));
    return show(reply, link, way, { status: shown.status, notice: { kind: 'failure', text } });
  }
}

/** Contents of a link's page. */
interface Shown {
  readonly status: number;
  readonly notice: Notice | null;
}

interface Failed {
  readonly link: OpenLink;
  readonly way: Way;
  readonly error: unknown;
}

const CONNECTED = 'Thank you: it is connected, and the records are on their way. You can close this page.';
const SEVERAL_CONNECTED =
  'Thank you: they are connected, and the records are on their way. You can close this page.';
const DISCONNECTED = 'It is disconnected: nothing more is read or written.';

function noticeOf(query: Readonly<Record<string, unknown>>): Notice | null {
  const { connected } = query;
  if (typeof connected === 'string') {
    return { kind: 'success', text: connected === '1' ? CONNECTED : SEVERAL_CONNECTED };
  }
  if (typeof query['disconnected'] === 'string') return { kind: 'success', text: DISCONNECTED };
  return null;
}

const formOf = ({ body }: FastifyRequest): URLSearchParams =>
  body instanceof URLSearchParams ? body : new URLSearchParams();

function parsePlatform(text: string): { readonly integrationType: string; readonly category: string } {
  const [integrationType = '', category = ''] = text.split(':');
  return { integrationType, category };
}

/** Typed-in values by field name. */
function typedIn(form: URLSearchParams): Typed {
  const entries = [...form].filter(([name]) => name.startsWith(FIELD_PREFIX));
  return Object.fromEntries(entries.map(([name, value]) => [name.slice(FIELD_PREFIX.length), value]));
}

function failureOf(request: FastifyRequest, error: unknown): AppError {
  const shown = toAppError(error);
  logHidden(shown, request.log, 'connecting failed');
  if (shown.code !== 'internal-error') request.log.info({ code: shown.code }, 'connecting was refused');
  return shown;
}

/** A platform's message may already be a sentence. */
const notConnected = ({ message }: Pick<AppError, 'message'>): string =>
  `It was not connected: ${message.replace(/\.$/, '')}. You can try again.`;

/** Shows an error next to its field, else above the form. */
function wrongOf({ access }: Connector, { field, words, message }: AppError): Wrong {
  const [name] = field;
  if (access.fields.some((one) => one.name === name)) return { field: String(name), text: words };
  return { field: null, text: notConnected({ message }) };
}

function sendPage(reply: FastifyReply, status: number, page: string) {
  return reply.code(status).headers(PAGE_HEADERS).type('text/html; charset=utf-8').send(page);
}

const cookieName = (state: string): string =>
  `svc_state_${Buffer.from(hashState(state)).toString('hex').slice(0, 32)}`;

/** Cookie that identifies the browser which began; it also holds the return URL. */
function stateCookie(state: string, publicUrl: string, { returnUrl }: Way): string {
  const secure = publicUrl.startsWith('https:') ? '; Secure' : '';
  const path = new URL(publicUrl + CALLBACK_PATH).pathname;
  const value = Buffer.from(returnUrl ?? '').toString('base64url');
  return `${cookieName(state)}=${value}; Path=${path}; Max-Age=${COOKIE_SECONDS}; HttpOnly; SameSite=Lax${secure}`;
}

/** The return URL, empty if none was given; null in a browser other than the one that began. */
function readStateCookie(request: FastifyRequest, state: string): string | null {
  const start = `${cookieName(state)}=`;
  const cookies = (request.headers.cookie ?? '').split(';').map((one) => one.trim());
  const found = cookies.find((one) => one.startsWith(start));
  return found === undefined ? null : Buffer.from(found.slice(start.length), 'base64url').toString();
}
