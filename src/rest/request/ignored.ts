import { invalid } from '../../errors.js';
import type { RestRoute } from '../route.js';
import { type BodyFields, parseObject } from './body.js';
import { ELEMENT, OBJECT, type Query } from './query.js';

/** Names of filters and orders of lists that have no brackets, and those of other services. */
const FILTER =
  /^((svc_)?company_id|status|category|categories|integrations?|integration_type|data_model|type|job_type|filters|where|sort|order|order_?by)$/i;

/** Whether a name that nothing reads looks like a filter: ignoring it would return everything. */
export const looksLikeFilter = (name: string): boolean => FILTER.test(name);

/** The parameters that a route does not read, for its warning. Throws `invalid-params` for one that looks like a filter. */
export function ignoredBy(
  { query: read = [], method, path }: Pick<RestRoute, 'query' | 'method' | 'path'>,
  query: Query,
): string[] {
  if (read === 'own') return [];
  const isRead = method === 'GET' || path.endsWith('/all');
  const others = Object.keys(query).filter((name) => !read.includes(name));
  const filter = others.find(
    (name) => /[[\]]/.test(name) || query[name] === OBJECT || (isRead && looksLikeFilter(name)),
  );
  if (filter === undefined) return others;
  const whole = filter.replace(ELEMENT, '');
  if (whole !== filter && read.includes(whole)) {
    throw invalid(filter, `takes no brackets: write ${whole}=value; a list has commas between its values`);
  }
  const choices = read.length > 0 ? `it takes ${read.join(', ')}` : 'it takes none';
  throw invalid(filter, `is not a parameter of this path: ${choices}`);
}

/** The same for the fields of a list's body. */
export function ignoredInBody(body: unknown, fields: BodyFields): string[] {
  const given = parseObject(body ?? {}, 'body');
  const ignored = fields.ignored();
  const filter = ignored.find((name) => looksLikeFilter(name) && given[name] != null);
  if (filter === undefined) return ignored;
  throw invalid(filter, 'is not a field of this body: it takes filter, orderBy, take, skip, expand');
}

/** Throws `invalid-params` for an option that is misspelt, as `dryRun`: without it, the request does something else. */
export function refuseMisspelt(names: readonly string[], options: readonly string[]): void {
  for (const name of names) {
    const meant = options.find((option) => option !== name && folded(option) === folded(name));
    if (meant !== undefined) throw invalid(name, `is not known here: write ${meant}`);
  }
}

const folded = (name: string): string => name.toLowerCase().replace(/[^a-z]/g, '');
