import type { ApolloServer } from '@apollo/server';
import { fastifyApolloHandler } from '@as-integrations/fastify';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Context, Tally } from '../context.js';
import type { Database } from '../db/database.js';
import { createScope, type Scope } from '../db/scope.js';
import type { TenantSql } from '../db/tenant-sql.js';
import { limitError } from '../graphql/document/limits.js';
import { HeaderKey } from '../writes/header-key.js';
import { invalid } from '../errors.js';
import type { PersistedQueries } from '../graphql/persisted-queries.js';
import {
  RefusedSubscription,
  type SubscriptionRequest,
  type SubscriptionResult,
  type Subscriptions,
} from '../graphql/subscribe.js';
import type { Limits } from '../limits.js';
import { isDeeper, stringifyJson } from '../base/raw-json.js';
import type { ContextOf } from './context-of.js';
import { headerOf } from './header-of.js';
import { isEventStream, type SendEvents } from './live/event-stream.js';

/** GET /schema.graphql: the whole interface for code generators and editors, also where introspection is off. */
export function serveSchema(server: FastifyInstance, text: string): void {
  server.get('/schema.graphql', (_request, reply) => reply.type('text/plain; charset=utf-8').send(text));
}

interface GraphqlRouteOptions {
  readonly apollo: ApolloServer<Context>;
  readonly persistedQueries: PersistedQueries;
  readonly database: Database;
  readonly subscriptions: Subscriptions;
  readonly contextOf: ContextOf;
  readonly sendEvents: SendEvents;
  readonly limits: Limits;
}

/** GET and POST /graphql, and HEAD like GET. */
export function serveGraphql(
  server: FastifyInstance,
  { apollo, persistedQueries, database, subscriptions, contextOf, sendEvents, limits }: GraphqlRouteOptions,
): void {
  const handler = fastifyApolloHandler(apollo, {
    context: async (request, reply) => {
      const { query } = (request.body ?? request.query ?? {}) as { query?: unknown };
      if (typeof query === 'string' && Buffer.byteLength(query) > limits.queryBytes) {
        throw limitError(`the query text is longer than ${limits.queryBytes} bytes`);
      }
      // For bodies, the body parser checks this.
      for (const [name, text] of Object.entries(request.query ?? {})) {
        if (typeof text === 'string' && name !== 'query' && isDeeper(text, limits.jsonDepth)) {
          throw limitError(`${name} is nested deeper than ${limits.jsonDepth} levels`, name);
        }
      }
      const key = headerOf(request, 'idempotency-key');
      const context = contextOf(request, reply);
      return key === null ? context : { ...context, headerKey: new HeaderKey(key) };
    },
  }) as (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>;
  const withPersisted = <Result>(request: FastifyRequest, work: () => Promise<Result>): Promise<Result> =>
    request.caller && mayBePersisted(request)
      ? persistedQueries.within(sqlOf(request.caller.scope, request.tally), hashIn(request), work)
      : work();
  // Persisted queries belong to the organisation, regardless of a key's companies.
  const sqlOf = ({ organisationId, keyId }: Scope, tally: Tally): TenantSql =>
    database.sql(createScope(organisationId, null, keyId), { count: tally });
  const subscribe = (request: FastifyRequest, reply: FastifyReply) =>
    sendEvents(request, reply, async (context) =>
      events(await subscriptions.start(subscriptionOf(request), context), context),
    ).catch((error: unknown) => {
      if (!(error instanceof RefusedSubscription)) throw error;
      return reply
        .status(400)
        .type('application/json; charset=utf-8')
        .send(stringifyJson({ errors: error.errors }));
    });
  server.route({
    method: ['GET', 'POST'],
    url: '/graphql',
    bodyLimit: limits.largeBodyBytes,
    handler: (request, reply) =>
      isEventStream(request)
        ? subscribe(request, reply)
        : withPersisted(request, () => handler(request.method === 'HEAD' ? asGet(request) : request, reply)),
  });
}

/** Few requests are persisted queries: only those pay the cost. */
function mayBePersisted({ body, query }: FastifyRequest): boolean {
  const { extensions } = (body ?? query ?? {}) as { readonly extensions?: unknown };
  return extensions !== undefined;
}

/** The hash of a persisted query; null if the text is given. With GET, extensions are JSON text. */
function hashIn({ body, query }: FastifyRequest): string | null {
  const given = (body ?? query ?? {}) as { readonly query?: unknown; readonly extensions?: unknown };
  if (given.query !== undefined) return null;
  const hash = /"sha256Hash"\s*:\s*"([\da-f]{64})"/.exec(
    typeof given.extensions === 'string' ? given.extensions : stringifyJson(given.extensions),
  );
  return hash?.[1] ?? null;
}

/** With GET, the variables are JSON text. */
function subscriptionOf({ body, query }: FastifyRequest): SubscriptionRequest {
  if (typeof body === 'object' && body !== null) return body;
  const { variables, ...rest } = query as Readonly<Record<string, unknown>>;
  if (typeof variables !== 'string') return rest;
  try {
    return { ...rest, variables: JSON.parse(variables) as unknown };
  } catch {
    throw invalid('variables', 'must be a JSON object');
  }
}

/** In graphql-sse's distinct connections mode. */
async function* events(
  results: AsyncGenerator<SubscriptionResult>,
  { stopping }: Context,
): AsyncGenerator<string> {
  // Confirms the subscription before the first event.
  yield ':\n\n';
  try {
    for await (const result of results) yield `event: next\ndata: ${stringifyJson(result)}\n\n`;
    // A client whose stream ends without it reconnects.
    if (!stopping.aborted) yield 'event: complete\ndata:\n\n';
  } finally {
    await results.return(undefined);
  }
}

/** Apollo supports only GET and POST; Fastify drops the response body. */
function asGet(request: FastifyRequest): FastifyRequest {
  return Object.create(request, { method: { value: 'GET' } }) as FastifyRequest;
}
