import { type GraphQLSchema, isInterfaceType, isObjectType } from 'graphql';
import { inSnakeCase } from '../../base/names.js';
import type { RestRoute } from '../route.js';
import type { RouteDescription } from './describe.js';

/** Description of an operation: the documentation of its GraphQL field, then the text of the route and of its kind. */
export function descriptionOf(route: RestRoute, described: RouteDescription, schema: GraphQLSchema): string {
  const { documentation, description } = described;
  const said = [...(documentation ? [inRestNames(documented(schema, documentation))] : []), description ?? '']
    .filter((text) => text !== '')
    .join(' ');
  const isScopeSaid = /\bscopes?\b/.test(said);
  return [said, ...commonOf(route, described, isScopeSaid)].filter((text) => text !== '').join(' ');
}

function documented(schema: GraphQLSchema, coordinate: string): string {
  const [typeName = '', fieldName] = coordinate.split('.');
  const type = schema.getType(typeName);
  const field =
    fieldName !== undefined && (isObjectType(type) || isInterfaceType(type))
      ? type.getFields()[fieldName]
      : undefined;
  const text = fieldName === undefined ? type?.description : field?.description;
  if (!text) throw new Error(`${coordinate} has no description`);
  return text.replace(/\s+/g, ' ');
}

/** Names in code are REST's; what is null in GraphQL is not found there. */
const inRestNames = (text: string): string =>
  text
    .replace(/`[A-Za-z]+`/g, inSnakeCase)
    .replace(/\bscope ([a-z]+(?::[a-z]+)?)/g, 'scope `$1`')
    .replace(/; null (if|when) /, ', or 404 $1 ');

function commonOf(
  { path }: RestRoute,
  { parameters = [], scope, isTagged, isIdempotentByKey }: RouteDescription,
  isScopeSaid: boolean,
): string[] {
  const has = (wanted: string) => parameters.some(({ name }) => name === wanted);
  return [
    has('next') && has('prev')
      ? 'Answers `limit` of them at a time: send `next` of a response to get those after it, `prev` for those before.'
      : '',
    has('next') && !has('prev')
      ? 'Answers at most `limit` at a time: send `next` of a response to continue.'
      : '',
    has('offset') ? 'Answers `limit` at a time, after the first `offset`.' : '',
    isTagged ? 'With `If-None-Match`, answers 304 without a body while nothing has changed.' : '',
    isIdempotentByKey
      ? 'The header `Idempotency-Key` makes retries safe: the same request with the same key is written once.'
      : '',
    scope && !isScopeSaid ? `Needs the scope \`${scope}\`.` : '',
    path.startsWith('/v3/')
      ? ''
      : 'Answers in the envelope with `request_id` and the times of request and response.',
  ];
}
