import type { paths } from './__generated__/rest.js';
import { type Change, type ChangesOptions, readChanges } from './changes.js';
import { type Document, type GraphqlOptions, runGraphql } from './graphql.js';
import { type AnswerOf, type Arguments, call, type Method, type OptionsOf, type PathOf } from './rest.js';
import { type ClientOptions, createSend } from './send.js';

type Caller<M extends Method> = <P extends PathOf<M>>(
  path: P,
  ...given: Arguments<OptionsOf<P, M>>
) => Promise<AnswerOf<P, M>>;

/** Paths that answer a page and `next`, and what their pages hold. */
export type ListPath = {
  [P in PathOf<'get'>]: AnswerOf<P, 'get'> extends { data: readonly unknown[]; next: unknown } ? P : never;
}[PathOf<'get'>];
export type RecordOf<P extends ListPath> =
  AnswerOf<P, 'get'> extends { data: readonly (infer One)[] } ? One : never;

/** A client of REST and GraphQL with one key. Paths, parameters, bodies and answers are typed by the OpenAPI document. */
export interface Client {
  readonly get: Caller<'get'>;
  readonly post: Caller<'post'>;
  readonly put: Caller<'put'>;
  readonly delete: Caller<'delete'>;
  /** Every record of a list, page after page. */
  list<P extends ListPath>(
    path: P,
    ...given: Arguments<OptionsOf<P, 'get'>>
  ): AsyncGenerator<RecordOf<P>, void, undefined>;
  /** What happened to records, from a position on. */
  changes(options?: ChangesOptions): AsyncGenerator<Change, void, undefined>;
  /** Runs a GraphQL operation; throws `GraphqlError` where it has errors. */
  graphql<Result, Variables>(
    document: Document<Result, Variables>,
    ...given: Variables extends Readonly<Record<string, never>>
      ? [variables?: Variables, options?: GraphqlOptions]
      : [variables: Variables, options?: GraphqlOptions]
  ): Promise<Result>;
}

export function createClient(options: ClientOptions): Client {
  const send = createSend(options);
  const caller =
    (method: Method) =>
    (path: string, given?: object): Promise<never> =>
      call(send, method, path, given) as Promise<never>;
  const get = caller('get');
  return {
    get,
    post: caller('post'),
    put: caller('put'),
    delete: caller('delete'),
    list: (path, ...given) => pages(get, path, given[0] as PageOptions | undefined),
    changes: (wanted = {}) => readChanges(send, wanted, options),
    graphql: (document, ...[variables, given]) => runGraphql(send, document, variables, given),
  };
}

interface Page {
  readonly data: readonly never[];
  readonly next: string | number | null;
}

interface PageOptions {
  readonly query?: object;
}

async function* pages(
  get: (path: string, options: object) => Promise<unknown>,
  path: keyof paths,
  options: PageOptions = {},
): AsyncGenerator<never, void, undefined> {
  let next: Page['next'] = null;
  do {
    const query: object = next === null ? { ...options.query } : { ...options.query, next };
    const page = (await get(path, { ...options, query })) as Page;
    yield* page.data;
    next = page.next;
  } while (next !== null);
}
