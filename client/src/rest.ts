import type { paths } from './__generated__/rest.js';
import { type Send } from './send.js';

export type Method = 'get' | 'post' | 'put' | 'delete';

interface JsonAnswer {
  responses: { 200: { content: { 'application/json': unknown } } };
}

/** Paths of the service that take a method and answer it by JSON: exports and files are read by `fetch`. */
export type PathOf<M extends Method> = {
  [P in keyof paths]: paths[P] extends Record<M, JsonAnswer> ? P : never;
}[keyof paths];

type OperationOf<P extends keyof paths, M extends Method> =
  paths[P] extends Record<M, infer Operation> ? Operation : never;
type JsonOf<Content> = Content extends { content: { 'application/json': infer Body } } ? Body : never;

/** What a path answers. */
export type AnswerOf<P extends keyof paths, M extends Method> =
  OperationOf<P, M> extends { responses: { 200: infer Answer } } ? JsonOf<Answer> : never;

type QueryOf<Operation> = Operation extends { parameters: { query?: infer Query } } ? Query : never;
type InPathOf<Operation> = Operation extends { parameters: { path: infer InPath } }
  ? { readonly [Name in keyof InPath]: string | number }
  : never;
type BodyOf<Operation> = Operation extends { requestBody?: infer Body } ? JsonOf<NonNullable<Body>> : never;

/** Fields of options, as far as the operation has them. */
type Field<Name extends string, Value, IsNeeded extends boolean> = [Value] extends [never]
  ? unknown
  : IsNeeded extends true
    ? { readonly [Key in Name]: Value }
    : { readonly [Key in Name]?: Value };

/** What a request takes beside its path: `params` for what stands in braces, `query`, `body`. */
export type OptionsOf<P extends keyof paths, M extends Method> = Field<
  'params',
  InPathOf<OperationOf<P, M>>,
  true
> &
  Field<'query', QueryOf<OperationOf<P, M>>, false> &
  Field<'body', BodyOf<OperationOf<P, M>>, true> &
  CallOptions;

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Makes repeated writes one; the client makes one for each write where there is none here. */
  readonly idempotencyKey?: string;
}

/** Options may be left out where all of them may. */
export type Arguments<Options> = object extends Options ? [options?: Options] : [options: Options];

interface AnyOptions extends CallOptions {
  readonly params?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

/** Where records are written: the service takes an `Idempotency-Key`. */
const WRITES = /^\/(v3\/)?(accounting|payments|ecommerce)\/\w+$/;

export async function call(
  send: Send,
  method: Method,
  path: string,
  { params = {}, query = {}, body, signal, idempotencyKey }: AnyOptions = {},
): Promise<unknown> {
  const isWrite = method !== 'get' && WRITES.test(path);
  // Made once: every attempt has the same.
  const key = idempotencyKey ?? (isWrite ? crypto.randomUUID() : undefined);
  const answer = await send({
    method: method.toUpperCase(),
    path: addressOf(path, params, query),
    ...(body === undefined ? {} : { body }),
    ...(key === undefined ? {} : { headers: { 'idempotency-key': key } }),
    ...(signal ? { signal } : {}),
    isRepeatable: isWrite || method !== 'post' || path.endsWith('/all'),
  });
  return answer.json();
}

/** `{name}` filled in, lists with commas, objects as `name[key]=value`; what is undefined or null is left out. */
export function addressOf(
  path: string,
  params: Readonly<Record<string, string | number>>,
  query: Readonly<Record<string, unknown>>,
): string {
  const filled = path.replace(/\{(\w+)\}/g, (_all, name: string) =>
    encodeURIComponent(String(params[name] ?? '')),
  );
  const parts = Object.entries(query).flatMap(([name, value]) => queryParts(name, value));
  return parts.length > 0 ? `${filled}?${parts.join('&')}` : filled;
}

function queryParts(name: string, value: unknown): string[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return [`${encodeURIComponent(name)}=${encodeURIComponent(value.join(','))}`];
  if (typeof value === 'object') {
    return Object.entries(value).flatMap(([key, one]) =>
      queryParts(`${name}[${key}]`, Array.isArray(one) ? one.join(',') : one),
    );
  }
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return [`${encodeURIComponent(name)}=${encodeURIComponent(text)}`];
}
