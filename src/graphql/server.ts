import {
  ApolloServer,
  type ApolloServerPlugin,
  type GraphQLRequestContextResponseForOperation,
  type GraphQLResponse,
  HeaderMap,
} from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginLandingPageDisabled,
} from '@apollo/server/plugin/disabled';
import { type ExecutionResult, GraphQLError, OperationTypeNode } from 'graphql';
import type { Context } from '../context.js';
import type { Limits } from '../limits.js';
import { stringifyJson } from '../base/raw-json.js';
import { operationCost } from './document/cost.js';
import { limitError, refusalOf, refusedDocumentRule, standInFor } from './document/limits.js';
import { hasMoreValues, tooManyValues } from './document/variables.js';
import { formatExecutionError, formatRequestError, outcomeOf } from './errors.js';
import { type Executor, MAX_NAME } from './execute.js';
import type { PersistedQueries } from './persisted-queries.js';
import { isUnchanged } from './records-read.js';

interface GraphqlServerOptions {
  readonly executor: Executor;
  readonly limits: Limits;
  readonly introspection: boolean;
  readonly persistedQueries: PersistedQueries;
}

/** Apollo Server over our executor: it parses, validates and speaks HTTP; limits and execution are ours. */
export function createGraphqlServer(options: GraphqlServerOptions): ApolloServer<Context> {
  const { executor, limits, introspection, persistedQueries } = options;
  return new ApolloServer<Context>({
    schema: executor.schema,
    introspection,
    includeStacktraceInErrorResponses: false,
    hideSchemaDetailsFromClientErrors: !introspection,
    allowBatchedHttpRequests: false,
    persistedQueries: { cache: persistedQueries },
    // A page of another origin can send none of these without a preflight; every caller sends its api_key.
    csrfPrevention: {
      requestHeaders: ['api_key', 'authorization', 'apollo-require-preflight', 'x-apollo-operation-name'],
    },
    stopOnTerminationSignals: false,
    parseOptions: { maxTokens: limits.queryTokens },
    validationOptions: { maxErrors: 5 },
    validationRules: [refusedDocumentRule],
    formatError: formatRequestError,
    stringifyResult: stringifyJson,
    plugins: [
      // It would wrap every field, which takes 40 % of a list's CPU time.
      ApolloServerPluginCacheControlDisabled(),
      ApolloServerPluginLandingPageDisabled(),
      requestPlugin(executor, limits),
    ],
  });
}

function requestPlugin(executor: Executor, limits: Limits): ApolloServerPlugin<Context> {
  return {
    requestDidStart: async () => ({
      validationDidStart: async (request) => {
        const refusal = refusalOf(request.document, limits);
        // Apollo reads the document back from the request after this hook.
        if (refusal) (request as { document: unknown }).document = standInFor(refusal);
      },
      didResolveOperation: async ({ document, operation, operationName, request, contextValue }) => {
        if (!operation) return;
        contextValue.tally.operation = (operationName ?? operation.operation).slice(0, MAX_NAME);
        if (operation.operation === OperationTypeNode.SUBSCRIPTION) throw noEventStream();
        const variables = request.variables ?? {};
        const max = limits.variableValues;
        const isQuery = operation.operation === OperationTypeNode.QUERY;
        if (isQuery && hasMoreValues(Object.values(variables), max)) {
          throw limitError(`variables ${tooManyValues(max)}`, 'variables');
        }
        const cost = operationCost({ schema: executor.schema, document, operation, variables, limits });
        if (cost > limits.queryCost) {
          throw limitError(
            `the query costs ${cost}, at most ${limits.queryCost} is allowed: ask for smaller pages, or for less in one query`,
          );
        }
      },
      // No operation of that name: Apollo words the error.
      responseForOperation: async (request) => (request.operation ? respond(executor, request) : null),
      willSendResponse: async ({ request, response, source, contextValue: { headerKey } }) => {
        // A caller that relies on it would create a duplicate.
        if (headerKey && !headerKey.isTaken)
          response.http.headers.set('x-svc-warning', 'ignored: Idempotency-Key');
        // Matches field names in the source: an alias may hide them in the response.
        const isSecret = source !== undefined && SECRET_FIELDS.test(source);
        response.http.headers.set('cache-control', isSecret ? 'private, no-store' : 'private, no-cache');
        if (response.body.kind !== 'single' || !wantsPlainJson(request.http?.headers.get('accept'))) return;
        const code = response.body.singleResult.errors?.[0]?.extensions?.['code'];
        if (response.http.status === 400 && REQUEST_ERRORS.has(code)) response.http.status = 200;
      },
    }),
  };
}

const noEventStream = (): GraphQLError =>
  new GraphQLError('subscriptions need WebSocket, or POST with Accept: text/event-stream', {
    extensions: { code: 'invalid-params', http: { status: 400 } },
  });

const SECRET_FIELDS = /clientSecret|downloadUrl|inviteLink|\bheaders\b|\bsecret\b/;

/** GraphQL over HTTP: an answer in plain `application/json` to a request that is no valid GraphQL has the status 200. */
const REQUEST_ERRORS = new Set<unknown>([
  'GRAPHQL_PARSE_FAILED',
  'GRAPHQL_VALIDATION_FAILED',
  'BAD_USER_INPUT',
]);

function wantsPlainJson(accept: string | undefined): boolean {
  return (
    accept !== undefined &&
    accept.includes('application/json') &&
    !accept.includes('application/graphql-response+json')
  );
}

async function respond(
  executor: Executor,
  { document, operationName, request, contextValue }: GraphQLRequestContextResponseForOperation<Context>,
): Promise<GraphQLResponse> {
  const http: { status: number | undefined; headers: HeaderMap } = {
    status: undefined,
    headers: new HeaderMap(),
  };
  const answer = (singleResult: object) =>
    ({ http, body: { kind: 'single', singleResult } }) as GraphQLResponse;
  const variables = request.variables ?? {};
  if (await isUnchanged(executor.schema, { document, variables }, contextValue)) {
    return answer({ data: null });
  }
  const result: ExecutionResult | { data: null; errors: unknown[] } = await executor
    .run({ document, operationName, variables }, contextValue)
    .catch((error: unknown) => ({ data: null, errors: [error] }));
  if (!result.errors?.length) return answer({ data: result.data ?? null });
  contextValue.condition?.stamp.lose();
  const errors = result.errors.map((error) =>
    formatExecutionError(error, contextValue.log, 'unexpected error in a resolver'),
  );
  const { status, retryAfter } = outcomeOf(errors[0], result.errors[0]);
  if (result.data == null) http.status = status;
  if (retryAfter !== null) http.headers.set('retry-after', retryAfter);
  return answer('data' in result ? { errors, data: result.data ?? null } : { errors });
}
