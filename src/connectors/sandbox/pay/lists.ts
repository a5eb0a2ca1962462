import { type PlatformClient, type PlatformObject } from '../../connector.js';
import { listOf, unexpectedAnswer } from '../../required-values.js';
import { PAY_TITLE } from './client.js';

const LIMIT = 100;

/** One page of a list, newest first. */
interface ListPage {
  readonly data: readonly PlatformObject[];
  readonly hasMore: boolean;
}

export async function listPage(
  client: PlatformClient,
  path: string,
  query: Readonly<Record<string, string>>,
): Promise<ListPage> {
  const answer = await client.get(path, { query: { ...query, limit: String(LIMIT) } });
  const data = listOf(PAY_TITLE, answer, 'data');
  const hasMore = answer['has_more'];
  if (typeof hasMore !== 'boolean') {
    throw unexpectedAnswer(PAY_TITLE, `must say whether ${path} has more`);
  }
  return { data, hasMore };
}

/** A filter in whole seconds, including the second of the time itself. */
export function createdSince(since: Date | null): Readonly<Record<string, string>> {
  return since === null ? {} : { 'created[gte]': String(Math.floor(since.getTime() / 1000)) };
}
