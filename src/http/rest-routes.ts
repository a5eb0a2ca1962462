import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { headerText } from '../base/header-text.js';
import { invalid } from '../errors.js';
import type { Limits } from '../limits.js';
import { lacksScope } from '../operations/keys/require-scope.js';
import { ignoredBy } from '../rest/request/ignored.js';
import type { RestRoute } from '../rest/route.js';
import type { ContextOf } from './context-of.js';
import { headerOf } from './header-of.js';
import { isEventStream, type SendEvents, type SendLongText } from './live/event-stream.js';
import { acceptForms, receiveForm } from './bodies/form-body.js';
import { pageLinks } from './answers/page-links.js';

declare module 'fastify' {
  interface FastifyContextConfig {
    isWrite?: boolean;
    /** A route's message for a body that is too large. */
    tooLarge?: string;
  }
}

interface RestOptions {
  readonly contextOf: ContextOf;
  readonly sendEvents: SendEvents;
  readonly sendLongText: SendLongText;
  readonly limits: Limits;
  /** The path before every path, if a proxy publishes the service below one. */
  readonly prefix: string;
}

/** Serves the REST path table. */
export async function serveRest(
  server: FastifyInstance,
  routes: readonly RestRoute[],
  { contextOf, sendEvents, sendLongText, limits, prefix }: RestOptions,
): Promise<void> {
  const add = (to: FastifyInstance, route: RestRoute) =>
    to.route({
      method: route.method,
      url: route.path,
      ...(route.isLarge ? { bodyLimit: limits.largeBodyBytes, onRequest: refuseReaders } : {}),
      config: { isWrite: route.isLarge ?? false, ...(route.isUpload ? { tooLarge: LARGER_FILES } : {}) },
      handler: async (request, reply) => {
        refuseUndecodable(request.url);
        const query = request.query as Record<string, unknown>;
        const unread = ignoredBy(route, query);
        if ('stream' in route) {
          return sendLongText(request, reply, async (context) => {
            const { headers, parts } = await route.stream({ query, context });
            return { headers: { ...warningOf(unread), ...headers }, parts };
          });
        }
        const events = isEventStream(request) ? route.follow : undefined;
        if (events) {
          const lastEventId = headerOf(request, 'last-event-id');
          return sendEvents(request, reply, async (context) => events({ query, lastEventId, context }));
        }
        const idempotencyKey = headerOf(request, 'idempotency-key');
        // A caller that relies on it would create a duplicate.
        const unused = idempotencyKey !== null && makesAnew(route) ? ['Idempotency-Key'] : [];
        const context = contextOf(request, reply);
        const form =
          route.isUpload && request.isMultipart()
            ? await receiveForm(request, context.files.store, limits)
            : null;
        try {
          const {
            body,
            ignored = [],
            warnings = [],
            headers = {},
            cursors,
          } = await route.answer({
            requestId: request.id,
            receivedAt: request.receivedAt,
            query,
            params: request.params as Record<string, string>,
            body: form ? form.body : request.body,
            idempotencyKey,
            context: form?.file ? { ...context, received: form.file } : context,
          });
          const links = cursors ? pageLinks(request.url, prefix, cursors) : null;
          if (links !== null) void reply.header('link', links);
          void reply.headers({ ...warningOf([...unread, ...unused, ...ignored], warnings), ...headers });
          return await reply.type('application/json; charset=utf-8').send(body);
        } finally {
          await form?.file?.discard();
        }
      },
    });
  for (const route of routes) if (!route.isUpload) add(server, route);
  await server.register(async (forms) => {
    await acceptForms(forms);
    for (const route of routes) if (route.isUpload) add(forms, route);
  });
}

/** Only record writes support idempotency keys; these routes act each time. */
const makesAnew = ({ method, isLarge }: RestRoute): boolean => method === 'POST' && !isLarge;

/** Proxies and clients refuse a response with long headers, although what was asked for is done. */
const MAX_NAMED = 20;
const MAX_NAME = 40;

/** A warning header that names ignored parameters, before other warnings. */
function warningOf(
  ignored: readonly string[],
  warnings: readonly string[] = [],
): Readonly<Record<string, string>> {
  const all = [...(ignored.length === 0 ? [] : [namedIn(ignored)]), ...warnings];
  return all.length === 0 ? {} : { 'x-svc-warning': headerText(all.join('; ')) };
}

function namedIn(ignored: readonly string[]): string {
  const shown = (name: string) => name.slice(0, MAX_NAME);
  const more = ignored.length > MAX_NAMED ? ` and ${ignored.length - MAX_NAMED} more` : '';
  return `ignored: ${ignored.slice(0, MAX_NAMED).map(shown).join(', ')}${more}`;
}

const LARGER_FILES = '; a larger file goes as multipart/form-data, in the part file';

/** Refuses callers without write scope before the body is received. */
function refuseReaders(
  { caller }: FastifyRequest,
  _reply: FastifyReply,
  done: (error?: Error) => void,
): void {
  done(caller?.scopes.has('write') ? undefined : lacksScope('write', 'write records'));
}

/** Otherwise the value would be used undecoded, and a filter would search for the escapes. */
function refuseUndecodable(url: string): void {
  if (!url.includes('%')) return;
  for (const pair of url.slice(url.indexOf('?') + 1).split('&')) {
    try {
      decodeURIComponent(pair);
    } catch {
      const name = pair.split('=')[0]?.slice(0, 40) ?? '';
      throw invalid(name, 'is not percent-encoded UTF-8: a % itself is written %25');
    }
  }
}
