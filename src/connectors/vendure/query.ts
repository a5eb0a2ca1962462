import { AppError } from '../../errors.js';
import { type PlatformClient, type PlatformObject } from '../connector.js';
import { objectOf } from '../platform-values.js';
import { ADMIN_API, VENDURE_TITLE } from './client.js';

/** The data that a query answers. A query changes nothing, so that it may be sent again like any other reading. */
export async function ask(
  client: PlatformClient,
  query: string,
  variables: PlatformObject = {},
): Promise<PlatformObject> {
  const answer = await client.get(ADMIN_API, { method: 'POST', body: { query, variables } });
  return dataOf(answer);
}

export function dataOf(answer: PlatformObject): PlatformObject {
  const data = objectOf(answer['data']);
  if (!data) throw unexpected('must answer data');
  return data;
}

/** An answer that is JSON but not what Vendure documents. */
export function unexpected(what: string): AppError {
  return new AppError('platform-answer', `${VENDURE_TITLE} ${what}`);
}
