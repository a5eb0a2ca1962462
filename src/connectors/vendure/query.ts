import { type AppError } from '../../errors.js';
import { type PlatformClient, type PlatformObject } from '../platform.js';
import { objectOf } from '../values/platform-values.js';
import { unexpectedAnswer } from '../values/required-values.js';
import { ADMIN_API, VENDURE_TITLE } from './client.js';

/** Returns the data of a query. Queries change nothing, so they may be retried like other reads. */
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
  if (!data) throw unexpected('must answer with data');
  return data;
}

/** A response that is valid JSON but not what Vendure documents. */
export const unexpected = (what: string): AppError => unexpectedAnswer(VENDURE_TITLE, what);
