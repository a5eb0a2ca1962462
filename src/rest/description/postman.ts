import type { OpenApi } from './document.js';
import type { JsonSchema } from './json-schema.js';

/** The document as a collection of Postman 2.1: a folder a heading, a request an operation, with the documented bodies. */
export function createPostman(document: OpenApi): Readonly<Record<string, unknown>> {
  const { info, tags, paths, servers, components } = document as unknown as Source;
  const items = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      folder: operation.tags[0],
      item: itemOf({ path, method: method.toUpperCase(), operation, parameters: components.parameters }),
    })),
  );
  return {
    info: {
      name: info.title,
      description: info.description,
      version: info.version,
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    },
    auth: {
      type: 'apikey',
      apikey: ['key:api_key', 'value:{{api_key}}', 'in:header'].map((text) => {
        const [key, value] = text.split(/:(.*)/);
        return { key, value, type: 'string' };
      }),
    },
    variable: [
      { key: 'url', value: servers[0]?.url === '/' ? 'http://127.0.0.1:4000' : servers[0]?.url },
      { key: 'api_key', value: '' },
    ],
    item: tags.map(({ name, description }) => ({
      name,
      description,
      item: items.filter(({ folder }) => folder === name).map(({ item }) => item),
    })),
  };
}

/** The parts of the document that are read. */
interface Source {
  readonly info: { readonly title: string; readonly description: string; readonly version: string };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly parameters: Readonly<Record<string, Parameter>> };
}
interface Operation {
  readonly summary: string;
  readonly description?: string;
  readonly tags: readonly string[];
  readonly security: readonly unknown[];
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}
interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly description: string;
  readonly required: boolean;
  readonly style?: string;
  readonly schema: JsonSchema;
}
type Content = Readonly<
  Record<string, { readonly examples?: { readonly documented?: { readonly value: unknown } } }>
>;

interface Place {
  readonly path: string;
  readonly method: string;
  readonly operation: Operation;
  readonly parameters: Source['components']['parameters'];
}

function itemOf({ path, method, operation, parameters: shared }: Place) {
  const parameters = (operation.parameters ?? []).flatMap((one) => {
    const found = '$ref' in one ? shared[one.$ref.split('/').at(-1) ?? ''] : one;
    return found ? [found] : [];
  });
  const at = (place: string) => parameters.filter((one) => one.in === place);
  const request = {
    method,
    header: at('header').map(({ name, description }) => ({
      key: name,
      value: '',
      description,
      disabled: true,
    })),
    ...(operation.security.length === 0 ? { auth: { type: 'noauth' } } : {}),
    url: {
      raw: `{{url}}${path.replace(/\{(\w+)\}/g, ':$1')}`,
      host: ['{{url}}'],
      path: path
        .slice(1)
        .split('/')
        .map((part) => part.replace(/^\{(\w+)\}$/, ':$1')),
      variable: at('path').map(({ name, description }) => ({ key: name, value: '', description })),
      query: at('query').flatMap(queryOf),
    },
    ...bodyOf(operation.requestBody?.content),
    description: operation.description ?? operation.summary,
  };
  const answer = exampleOf(operation.responses['200']?.content);
  const response =
    answer === undefined
      ? []
      : [
          {
            name: 'As documented',
            originalRequest: request,
            status: 'OK',
            code: 200,
            _postman_previewlanguage: 'json',
            body: JSON.stringify(answer, null, 2),
          },
        ];
  return { name: operation.summary, request, response };
}

/** Disables all parameters that are not required, so that a request works unedited. */
function queryOf({ name, description, required, style, schema }: Parameter) {
  const disabled = !required;
  const [first] = (schema['enum'] ?? []) as readonly string[];
  const value = required ? (first ?? '') : '';
  if (style !== 'deepObject') return [{ key: name, value, description, disabled }];
  const properties = schema['properties'] as Readonly<Record<string, unknown>> | undefined;
  const keys = Object.keys(properties ?? { eq: {} });
  return keys.map((key) => ({ key: `${name}[${key}]`, value: '', description, disabled }));
}

function bodyOf(content: Content | undefined) {
  if (!content) return {};
  const raw = JSON.stringify(exampleOf(content) ?? {}, null, 2);
  return { body: { mode: 'raw', raw, options: { raw: { language: 'json' } } } };
}

const exampleOf = (content: Content | undefined): unknown =>
  content?.['application/json']?.examples?.documented?.value;
