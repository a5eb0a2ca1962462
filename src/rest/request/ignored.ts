import { invalid } from '../../errors.js';
import type { RestRoute } from '../route.js';
import { ELEMENT, OBJECT, type Query } from './query.js';

/** Filter parameters of lists that have no brackets. */
const FILTER =
  /^((svc_)?company_id|status|category|categories|integrations?|integration_type|data_model|type|job_type)$/;

/**
 * The parameters that a route does not read, for its warning. Throws `invalid-params` for one that looks like a filter:
 * ignoring it would return everything.
 */
export function ignoredBy(
  { query: read = [], method, path }: Pick<RestRoute, 'query' | 'method' | 'path'>,
  query: Query,
): string[] {
  if (read === 'own') return [];
  const isRead = method === 'GET' || path.endsWith('/all');
  const others = Object.keys(query).filter((name) => !read.includes(name));
  const filter = others.find(
    (name) => /[[\]]/.test(name) || query[name] === OBJECT || (isRead && FILTER.test(name)),
  );
  if (filter === undefined) return others;
  const whole = filter.replace(ELEMENT, '');
  if (whole !== filter && read.includes(whole)) {
    throw invalid(filter, `takes no brackets: write ${whole}=value; a list has commas between its values`);
  }
  const choices = read.length > 0 ? `it takes ${read.join(', ')}` : 'it takes none';
  throw invalid(filter, `is not a parameter of this path: ${choices}`);
}
