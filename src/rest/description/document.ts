import type { GraphQLSchema } from 'graphql';
import type { Limits } from '../../limits.js';
import type { RestRoute } from '../route.js';
import {
  ERROR,
  errorResponses,
  headerComponents,
  headerRefs,
  HEADERS,
  headersOf,
  refusalsOf,
  refusalRefs,
  LINK_HEADER,
  TAG_HEADER,
  UNCHANGED_ANSWER,
  WARNING_HEADER,
} from './responses.js';
import { descriptionOf } from './operation-descriptions.js';
import { INTRODUCTION } from './introduction.js';
import { Describer, GROUPS, type RouteDescription } from './describe.js';
import { type Fields, type JsonSchema, svcId } from './json-schema.js';
import { limitParameter, NEXT, offsetParameter, PREV, type QueryParameter } from './parameters.js';
import { writeProblem } from './write-descriptions.js';
import { takenSchemas } from './record-descriptions.js';
import { SERVICE_PATHS } from './service-paths.js';

/** A request of the documentation and its answer there. */
interface Example {
  readonly request?: unknown;
  readonly answer?: unknown;
}

interface DocumentOptions {
  readonly schema: GraphQLSchema;
  readonly limits: Limits;
  readonly version: string;
  /** Examples by method and path: `GET /v3/core/companies/{svc_id}`. */
  readonly examples?: ReadonlyMap<string, Example>;
}

export type OpenApi = Readonly<Record<string, unknown>>;

/**
 * The OpenAPI document of the routes, from what serves them.
 *
 * @public
 */
export function createOpenApi(
  routes: readonly RestRoute[],
  { schema, limits, version, examples = new Map() }: DocumentOptions,
): OpenApi {
  const describer = new Describer(schema, limits);
  // Before the fragment of that name, whose fields have GraphQL's names.
  writeProblem(describer);
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    const path = route.path.replace(/:(\w+)/g, '{$1}');
    const example = examples.get(`${route.method} ${path}`) ?? {};
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route, describer, example) };
  }
  describer.component('Error', () => ERROR);
  return {
    openapi: '3.1.1',
    info: INFO(version),
    servers: [{ url: '/', description: 'This service, local or in production.', 'x-internal': false }],
    tags: Object.entries(GROUPS).map(([name, description]) => ({ name, description })),
    security: [{ api_key: ['read'] }, { bearer: ['read'] }],
    paths: { ...paths, ...SERVICE_PATHS },
    components: {
      securitySchemes: {
        api_key: {
          type: 'apiKey',
          in: 'header',
          name: 'api_key',
          description: 'API key of the organisation.',
        },
        bearer: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'RFC 6750; the same key',
          description: 'The same API key.',
        },
      },
      parameters: parameterComponents(limits),
      headers: headerComponents(),
      responses: errorResponses(),
      schemas: describer.components(),
    },
  };
}

/** The document as one service serves it: at its address, with its limits. */
export function deploy(
  document: OpenApi,
  { url, limits }: { readonly url: string; readonly limits: Limits },
): OpenApi {
  const { servers, components } = document as unknown as Deployable;
  return {
    ...document,
    servers: servers.map((one) => ({ ...one, url })),
    components: {
      ...components,
      parameters: parameterComponents(limits),
      schemas: { ...components.schemas, ...takenSchemas(limits) },
    },
  };
}

interface Deployable {
  readonly servers: readonly Readonly<Record<string, unknown>>[];
  readonly components: Readonly<Record<string, unknown>> & { readonly schemas: Fields };
}

const INFO = (version: string) => ({
  title: 'Unified Financial Data Service',
  version,
  summary: 'Accounting, payments and ecommerce data of all customers in one interface.',
  description: INTRODUCTION,
  license: { name: 'MIT', identifier: 'MIT' },
  contact: { name: 'Whoever runs this service', url: 'https://www.openapis.org' },
});

/** Parameters that many lists have. */
const shared = (limits: Limits): readonly QueryParameter[] => [
  limitParameter(limits),
  offsetParameter(limits),
  NEXT,
  PREV,
];

/** The parameters with configurable limits. */
const parameterComponents = (limits: Limits): Readonly<Record<string, unknown>> =>
  Object.fromEntries(shared(limits).map((one) => [one.name, parameter(one)]));

function parameter({
  name,
  about,
  schema,
  isRequired = false,
  isDeep = schema['type'] === 'object',
}: QueryParameter) {
  const isList = schema['type'] === 'array';
  return {
    name,
    in: 'query',
    description: about,
    required: isRequired,
    // Without an example Swagger UI makes one of every property, and sends all of them.
    ...(isDeep ? { style: 'deepObject', explode: true, example: {} } : {}),
    ...(isList ? { style: 'form', explode: false } : {}),
    schema,
  };
}

function operationOf(route: RestRoute, describer: Describer, example: Example) {
  const { method, path, isLarge } = route;
  const described = route.describe(describer);
  const { id, group, summary, scope, body, form, answer, types, headers = {} } = described;
  const { isTagged = false, isBodyOptional = false, asksPlatform = false } = described;
  const follows = 'follow' in route && route.follow !== undefined;
  const isPaged = described.parameters?.some(({ name }) => name === 'next' || name === 'offset') ?? false;
  const isChange = method !== 'GET' && scope !== undefined;
  const scopes = ['read', ...(scope ? [scope] : [])];
  return {
    operationId: id,
    tags: [group],
    summary,
    description: descriptionOf(route, described, describer.schema),
    security: [{ api_key: scopes }, { bearer: scopes }],
    parameters: [
      ...pathParameters(path),
      ...queryParameters(described, describer.limits),
      ...(described.isIdempotentByKey ? [IDEMPOTENCY_KEY] : []),
    ],
    ...(body ? { requestBody: requestBody({ body, form, example, isOptional: isBodyOptional }) } : {}),
    responses: {
      200: {
        description: 'Done.',
        headers: {
          ...headerRefs({
            ...HEADERS,
            ...WARNING_HEADER,
            ...(isPaged ? LINK_HEADER : {}),
            ...(isTagged ? TAG_HEADER : {}),
          }),
          ...headersOf(headers),
        },
        content: types
          ? Object.fromEntries(types.map((type) => [type, { schema: answer }]))
          : {
              'application/json': { schema: answer, ...examplesOf(example.answer) },
              ...(follows ? { 'text/event-stream': { schema: { type: 'string' } } } : {}),
            },
      },
      ...(isTagged ? { 304: UNCHANGED_ANSWER } : {}),
      ...refusalRefs(
        refusalsOf({
          hasBody: body !== undefined,
          asksPlatform,
          changes: isChange || isLarge === true || group === 'Platforms',
        }),
      ),
    },
  };
}

const pathParameters = (path: string) =>
  [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => ({
    name,
    in: 'path',
    description: name === 'id' ? 'Identifier.' : `Its \`${name}\`.`,
    required: true,
    schema: name === 'svc_id' ? svcId : { type: 'string', maxLength: 200 },
  }));

function queryParameters({ parameters = [] }: RouteDescription, limits: Limits) {
  const common = shared(limits);
  return parameters.map((one) => {
    const same = common.find(
      ({ name, schema }) => name === one.name && JSON.stringify(schema) === JSON.stringify(one.schema),
    );
    return same ? { $ref: `#/components/parameters/${same.name}` } : parameter(one);
  });
}

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'Makes retries safe: repeated requests return the first result.',
  required: false,
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

const examplesOf = (value: unknown) => (value === undefined ? {} : { examples: { documented: { value } } });

function requestBody({
  body,
  form,
  example,
  isOptional,
}: {
  readonly body: JsonSchema;
  readonly form: JsonSchema | undefined;
  readonly example: Example;
  readonly isOptional: boolean;
}) {
  return {
    required: !isOptional,
    content: {
      'application/json': { schema: body, ...examplesOf(example.request) },
      ...(form ? { 'multipart/form-data': { schema: form } } : {}),
    },
  };
}
