import { invalid } from '../../errors.js';
import type { Limits } from '../../limits.js';
import { parseText } from '../../base/values.js';
import { between, type Parser } from './body.js';

/** A query string as Fastify reads it: a parameter that is repeated is a list. */
export type Query = Readonly<Record<string, unknown>>;

/** The parameters of a query string. An empty one and a literal `null` are absent. */
export interface QueryFields {
  optional<Value>(name: string, parse: Parser<Value>): Value | null;
  /** The parts of a list with commas. */
  list(name: string): string[] | null;
  limit(limits: Limits): number;
  offset(limits: Limits): number;
  /** Parameters that nothing read. */
  others(): [name: string, text: string][];
}

/** Value sent by clients that stringify an object instead of writing it as `deepObject`. */
export const OBJECT = '[object Object]';

/** Ends the names by which other services take a list: `expand[]`, `expand[0]`. */
export const ELEMENT = /\[\d*\]$/;

export function readQuery(query: Query): QueryFields {
  const known = new Set<string>();
  const lists = new Set<string>();
  const isList = (name: string) => lists.has(name) || /\[(?:in|notIn|not_in)\]$/.test(name);
  const given = (name: string): string | null => {
    const value = query[name];
    if (value === undefined || value === '' || value === 'null') return null;
    if (typeof value === 'string') return value;
    throw invalid(
      name,
      isList(name) ? 'must be given once, with commas between its values' : 'must be given once',
    );
  };
  const optional: QueryFields['optional'] = (name, parse) => {
    known.add(name);
    const text = given(name);
    return text === null ? null : parse(parseText(text, name), name);
  };
  return {
    optional,
    list: (name) => {
      lists.add(name);
      return optional(name, (text) =>
        String(text)
          .split(',')
          .map((part) => part.trim()),
      );
    },
    limit: ({ pageSize, maxPageSize }) => optional('limit', between(1, maxPageSize)) ?? pageSize,
    offset: ({ maxSkip }) => optional('offset', between(0, maxSkip)) ?? 0,
    others: () =>
      Object.keys(query)
        .filter((name) => !known.has(name))
        .flatMap((name): [string, string][] => {
          const list = name.replace(ELEMENT, '');
          if (list !== name && isList(list)) {
            throw invalid(name, `must be given once, as ${list}, with commas between its values`);
          }
          if (list !== name && known.has(list)) throw invalid(name, `takes no brackets: write ${list}=value`);
          const text = given(name);
          return text === null ? [] : [[name, text]];
        }),
  };
}

/** A page by one of two cursors. */
export function readPage(fields: QueryFields, limits: Limits) {
  const size = fields.limit(limits);
  const after = fields.optional('next', parseText);
  const before = fields.optional('prev', parseText);
  if (after !== null && before !== null) throw invalid('prev', 'cannot be used together with next');
  return before === null ? { first: size, after } : { last: size, before };
}

/** Starts of the previous and next page: cursors, or numbers of records to skip; null if there is none. */
export interface PageCursors {
  readonly next: Cursor | null;
  readonly prev?: Cursor | null;
}
type Cursor = string | number | { readonly offset: number };

/** Where the pages around a page by offset begin. */
export const offsetsAround = (
  { first, skip }: { readonly first: number; readonly skip: number },
  hasNext: boolean,
): PageCursors => ({
  next: hasNext ? { offset: skip + first } : null,
  prev: skip > 0 ? { offset: Math.max(0, skip - first) } : null,
});
