import type { FastifyInstance } from 'fastify';

import { beginAuthorization, chosenPlatform, openByForm } from '../../connect/authorization.js';
import type { PlatformChoice } from '../../connect/choices.js';
import type { TypedValues } from '../../connect/given.js';
import type { Connector } from '../../connectors/connector.js';
import { AppError, toAppError } from '../../errors.js';
import { disconnectByLink } from '../../operations/connections/disconnect.js';
import {
  type ConnectOptions,
  failureOf,
  formOf,
  type LinkAnswers,
  NO_LINK,
  notConnected,
  sendPage,
} from './link-answers.js';
import { inQuery, noticeOf } from './notice.js';
import { disconnectPage } from './pages/disconnect-page.js';
import { hrefOf, RETURN_FIELD } from './pages/page.js';
import { FIELD_PREFIX, platformPage, type Wrong } from './pages/platform-page.js';

/** The link's page, its forms of platforms, and disconnecting. */
export function serveLinks(server: FastifyInstance, options: ConnectOptions, answers: LinkAnswers): void {
  // Mail programs add a slash.
  server.get('/link/:id/', async (request, reply) => {
    const { search } = new URL(request.url, 'http://link');
    const { id } = request.params as { readonly id: string };
    return reply.redirect(`${options.publicUrl()}/link/${encodeURIComponent(id)}${search}`, 308);
  });

  for (const url of ['/link', '/link/', '/link/*']) {
    server.route({
      method: ['GET', 'POST'],
      url,
      handler: () => {
        throw new AppError('not-found', NO_LINK);
      },
    });
  }

  server.get('/link/:id', async (request, reply) => {
    const query = request.query as Readonly<Record<string, unknown>>;
    const opened = await answers.open(request, query[RETURN_FIELD]);
    const { link, way } = opened;
    if (typeof query['platform'] === 'string') {
      try {
        const choice = await chosenPlatform(options, link, parsePlatform(query['platform']));
        return sendPage(reply, 200, platformPage(link, { choice, way, typed: {}, wrong: null }));
      } catch (error) {
        return await answers.showFailure(request, reply, opened, error);
      }
    }
    if (typeof query['disconnect'] === 'string') {
      const found = await answers.connectionOf(link, query['disconnect']);
      return sendPage(reply, 200, disconnectPage(link, { ...found, way }));
    }
    return answers.show(reply, opened, { status: 200, noticeOf: (choices) => noticeOf(query, choices) });
  });

  server.post('/link/:id', async (request, reply) => {
    const form = formOf(request);
    const opened = await answers.open(request, form.get(RETURN_FIELD));
    const { link, way } = opened;
    const typed = typedIn(form);
    const platform = parsePlatform(form.get('platform') ?? '');
    const chosen = { ...platform, redirectUri: answers.callbackAddress(), typed };
    let choice: PlatformChoice | null = null;
    try {
      choice = await chosenPlatform(options, link, chosen);
      if (choice.connector.access.kind === 'form') {
        const services = { ...options, log: request.log };
        const made = await openByForm(services, link, chosen);
        return await answers.goOn(reply, opened, 'accounts' in made ? made : [made]);
      }
      return await answers.redirectTo(await beginAuthorization(options, link, chosen), reply, opened);
    } catch (error) {
      if (!choice || choice.connector.access.fields.length === 0 || toAppError(error).code === 'not-found')
        return answers.showFailure(request, reply, opened, error);
      const shown = failureOf(request, error);
      const wrong = wrongOf(choice.connector, shown);
      return sendPage(reply, shown.status, platformPage(link, { choice, way, typed, wrong }));
    }
  });

  server.post('/link/:id/disconnect', async (request, reply) => {
    const form = formOf(request);
    const { link, way } = await answers.open(request, form.get(RETURN_FIELD));
    const { connection } = await answers.connectionOf(link, form.get('connection') ?? '');
    await disconnectByLink({ ...options, log: request.log }, link, connection.connectionId);
    return reply.redirect(hrefOf(way, { disconnected: inQuery([connection]) }), 303);
  });
}

function parsePlatform(text: string): { readonly integrationType: string; readonly category: string } {
  const [integrationType = '', category = ''] = text.split(':');
  return { integrationType, category };
}

/** Typed-in values by field name. */
function typedIn(form: URLSearchParams): TypedValues {
  const entries = [...form].filter(([name]) => name.startsWith(FIELD_PREFIX));
  return Object.fromEntries(entries.map(([name, value]) => [name.slice(FIELD_PREFIX.length), value]));
}

/** Shows an error next to its field, else above the form. */
function wrongOf({ access }: Connector, { field, words, message }: AppError): Wrong {
  const [name] = field;
  if (access.fields.some((one) => one.name === name)) return { field: String(name), text: words };
  return { field: null, text: notConnected({ message }) };
}
