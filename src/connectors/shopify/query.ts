import { AppError } from '../../errors.js';
import { type PlatformClient, type PlatformObject } from '../platform.js';
import { arrayOf, objectOf } from '../values/platform-values.js';
import { listOf, unexpectedAnswer } from '../values/required-values.js';
import { TOO_COSTLY, demandedIn } from './answers.js';
import { SHOPIFY_TITLE } from './client.js';

/** Path below the Admin API. */
const GRAPHQL = '/graphql.json';

/** The data of a response, and the points that Shopify demanded for it, if it says so. */
export interface Answered {
  readonly data: PlatformObject;
  readonly demanded: number | null;
}

/** Asks a query. Queries change nothing, so they may be retried like other reads. */
export async function ask(
  client: PlatformClient,
  query: string,
  variables: PlatformObject = {},
): Promise<Answered> {
  const answer = await client.get(GRAPHQL, { method: 'POST', body: { query, variables } });
  const data = objectOf(answer['data']);
  if (!data) throw unexpected('must answer with data');
  return { data, demanded: demandedIn(answer) };
}

/** Whether a query was refused for what it may cost: less of it may be asked for at once. */
export const isTooCostly = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'platform-refused' && error.message.includes(TOO_COSTLY);

/** A page of a connection. */
export interface Connected {
  readonly nodes: readonly PlatformObject[];
  /** Where it continues; null at its end. */
  readonly next: string | null;
}

/** Reads a connection. A missing list is an error, not an empty one. */
export function connectionOf(parent: PlatformObject, name: string): Connected {
  const connection = objectOf(parent[name]);
  if (!connection) throw unexpected(`must answer with ${name}`);
  const nodes = listOf(SHOPIFY_TITLE, connection, 'nodes');
  const { hasNextPage, endCursor } = objectOf(connection['pageInfo']) ?? {};
  if (hasNextPage === false) return { nodes, next: null };
  if (hasNextPage !== true || typeof endCursor !== 'string') {
    throw unexpected(`must say where ${name} continues`);
  }
  return { nodes, next: endCursor };
}

/** What `nodes` answers with: null for what does not exist. */
export function nodesIn(data: PlatformObject): readonly (PlatformObject | null)[] {
  const nodes = arrayOf(data['nodes']);
  if (!nodes) throw unexpected('must answer with nodes');
  return nodes.map(objectOf);
}

/** A response that is valid JSON but not what Shopify documents. */
export const unexpected = (what: string): AppError => unexpectedAnswer(SHOPIFY_TITLE, what);
