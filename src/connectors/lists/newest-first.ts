import type { PlatformClient, PlatformObject } from '../platform.js';
import { listOf, unexpectedAnswer } from '../values/required-values.js';

const LIMIT = 100;

/** One page of a list in Stripe's form, newest first. */
interface ListPage {
  readonly data: readonly PlatformObject[];
  readonly hasMore: boolean;
}

/** Reads one page; `title` is the platform's. */
export async function listPage(
  title: string,
  client: PlatformClient,
  path: string,
  query: Readonly<Record<string, string>>,
): Promise<ListPage> {
  const answer = await client.get(path, { query: { ...query, limit: String(LIMIT) } });
  const data = listOf(title, answer, 'data');
  const hasMore = answer['has_more'];
  if (typeof hasMore !== 'boolean') throw unexpectedAnswer(title, `must say whether ${path} has more`);
  return { data, hasMore };
}

/** A filter in whole seconds, including the second of the time itself. */
export function createdSince(since: Date | null): Readonly<Record<string, string>> {
  return since === null ? {} : { 'created[gte]': String(secondsOf(since)) };
}

/** The last whole second before a time, or at it. */
export const secondsOf = (time: Date): number => Math.floor(time.getTime() / 1000);
