import type { FastifyReply, FastifyRequest } from 'fastify';

import { type AccountChoice, CALLBACK_PATH } from '../../connect/authorization.js';
import { platformChoices } from '../../connect/choices.js';
import { findLink, findLinkOfState, type OpenLink, refuseEnded } from '../../connect/find-link.js';
import { CustomerError } from '../../connect/customer-error.js';
import type { ConsentConnections } from '../../connect/repeated.js';
import { allowedReturn } from '../../connect/return-url.js';
import type { ConnectServices } from '../../connect/services.js';
import { AppError, toAppError } from '../../errors.js';
import { logHidden } from '../../graphql/errors.js';
import { accountsPage } from './pages/accounts-page.js';
import { linkPage } from './pages/link-page.js';
import { hrefOf, PAGE_HEADERS, type Way } from './pages/page.js';
import { inQuery, type NoticeOf } from './notice.js';
import { readStateCookie, setStateCookie } from './state-cookie.js';

export interface ConnectOptions extends ConnectServices {
  /** Where end customers reach this service, without a slash at the end. */
  publicUrl(): string;
}

/** A link whose page is open in a browser. */
export interface OpenedLink {
  readonly link: OpenLink;
  readonly way: Way;
}

/** Contents of a link's page. */
interface Shown {
  readonly status: number;
  readonly noticeOf: NoticeOf;
}

/** Shared by the routes of links and callbacks: finds the link, and answers with its pages. */
export class LinkAnswers {
  constructor(private readonly options: ConnectOptions) {}

  /** The link of a path. Throws `not-found` if there is none, or if it has ended. */
  async open(request: FastifyRequest, returnUrl: unknown): Promise<OpenedLink> {
    const { id } = request.params as { id: string };
    const link = await findLink(this.options.database.pool, id);
    if (!link) throw noLink();
    refuseEnded(link);
    return this.#opened(link, returnUrl);
  }

  /**
   * The link of an authorisation. The callback must come from the browser that began: nobody can trick a customer into
   * connecting someone else's account.
   */
  async openByState(request: FastifyRequest, state: string): Promise<OpenedLink> {
    const link = await findLinkOfState(this.options.database.pool, state);
    const returnUrl = readStateCookie(request, state);
    if (link && returnUrl !== null) return this.#opened(link, returnUrl);
    throw new AppError(
      'invalid-params',
      'This answer does not belong to an authorisation started in this browser. Please start again from your link.',
    );
  }

  callbackAddress(): string {
    return this.options.publicUrl() + CALLBACK_PATH;
  }

  /** A connection shown on the link's page. */
  async connectionOf(link: OpenLink, id: string) {
    for (const { connector, connections } of await this.#choicesOf(link)) {
      const connection = connections.find(({ connectionId }) => String(connectionId) === id);
      if (connection) return { connector, connection };
    }
    throw new AppError('not-found', 'There is no such connection here.');
  }

  async show(reply: FastifyReply, { link, way }: OpenedLink, { status, noticeOf }: Shown) {
    const choices = await this.#choicesOf(link);
    return sendPage(reply, status, linkPage(link, way, choices, noticeOf(choices)));
  }

  async showAccounts(
    reply: FastifyReply,
    { link, way }: OpenedLink,
    choice: AccountChoice & { readonly wrong: string | null },
  ) {
    const found = (await this.#choicesOf(link)).find(({ connector }) => connector === choice.connector);
    const connections = found?.connections ?? [];
    const shown = accountsPage(link, { ...choice, action: this.callbackAddress(), way, connections });
    return sendPage(reply, reply.statusCode, shown);
  }

  /** Redirects to the platform. */
  redirectTo(address: string, reply: FastifyReply, { way }: OpenedLink) {
    const state = new URL(address).searchParams.get('state') ?? '';
    return this.#withState(reply, state, way).redirect(address, 303);
  }

  /** Redirects when connected, or to the choice of accounts. */
  goOn(reply: FastifyReply, opened: OpenedLink, made: ConsentConnections | AccountChoice) {
    const { way } = opened;
    if (!('accounts' in made)) return reply.redirect(hrefOf(way, { connected: inQuery(made) }), 303);
    return this.showAccounts(this.#withState(reply, made.state, way), opened, { ...made, wrong: null });
  }

  /** Shows the link's page again with the error and the choices. Throws `not-found` if the link has ended meanwhile. */
  async showFailure(request: FastifyRequest, reply: FastifyReply, opened: OpenedLink, error: unknown) {
    const shown = failureOf(request, error);
    const link = await findLink(this.options.database.pool, opened.link.inviteLinkId);
    if (!link) throw noLink();
    refuseEnded(link);
    return this.show(reply, opened, {
      status: shown.status,
      noticeOf: () => ({ kind: 'failure', text: notConnected(shown) }),
    });
  }

  /** Keeps the return URL only if it is allowed. */
  async #opened(link: OpenLink, returnUrl: unknown): Promise<OpenedLink> {
    const way = {
      address: `${this.options.publicUrl()}/link/${link.inviteLinkId}`,
      returnUrl: await allowedReturn(this.options.database.client(link.scope), returnUrl),
    };
    return { link, way };
  }

  #choicesOf(link: OpenLink) {
    return platformChoices(this.options.database.client(link.scope), link);
  }

  #withState(reply: FastifyReply, state: string, way: Way) {
    return setStateCookie(reply, state, this.options.publicUrl(), way);
  }
}

export const NO_LINK = 'There is no such link. Please check its address, or ask for a new one.';

const noLink = () => new AppError('not-found', NO_LINK);

/** The body of a form; empty if it is none. */
export const formOf = ({ body }: FastifyRequest): URLSearchParams =>
  body instanceof URLSearchParams ? body : new URLSearchParams();

/** The error to show; logs the original. */
export function failureOf(request: FastifyRequest, error: unknown): AppError {
  const shown = toAppError(error);
  logHidden(shown, request.log, 'connecting failed');
  if (shown.code !== 'internal-error') request.log.info({ code: shown.code }, 'connecting was refused');
  return shown;
}

/** A platform's message may already be a sentence. */
export const notConnected = (error: Pick<AppError, 'message'>): string =>
  error instanceof CustomerError
    ? error.message
    : `It was not connected: ${error.message.replace(/\.$/, '')}. You can try again.`;

export function sendPage(reply: FastifyReply, status: number, page: string) {
  return reply.code(status).headers(PAGE_HEADERS).type('text/html; charset=utf-8').send(page);
}
