import { type PlatformClient, type PlatformObject } from '../platform.js';
import { type PulledPage, type PullOptions } from '../pull.js';
import { createdSince, listPage } from '../lists/newest-first.js';
import { nullIfRefused } from '../client/platform-errors.js';
import { decimalOf } from '../values/platform-values.js';
import { unexpectedAnswer } from '../values/required-values.js';
import { STRIPE_TITLE } from './client.js';
import { expandQuery, type StripeKind } from './kinds.js';
import { idOf } from './mappers/id.js';

/**
 * All objects of a kind, or those created since a time, newest first: objects created meanwhile precede the first page
 * and are left to the next pull. The cursor is the id of the last object read, and when that was created.
 */
export async function* listPages(
  kind: StripeKind,
  client: PlatformClient,
  { since, cursor }: PullOptions,
): AsyncGenerator<PulledPage> {
  const query = { ...kind.query, ...createdSince(since), ...expandQuery(kind, 'data.') };
  const complete = kind.complete?.(client) ?? ((objects) => Promise.resolve(objects));
  for (let after = cursor; ;) {
    const { data, hasMore } = await pageAfter(kind, client, query, after);
    const next = hasMore ? placeOf(data.at(-1) ?? {}) : null;
    if (next !== null && next === after)
      throw unexpectedAnswer(STRIPE_TITLE, `sent a page of ${kind.path} twice`);
    yield { objects: await complete(data), cursor: next };
    if (next === null) return;
    after = next;
  }
}

/** A list cannot be continued after an object deleted since: then it is from the time of its creation. */
async function pageAfter(
  kind: StripeKind,
  client: PlatformClient,
  query: Readonly<Record<string, string>>,
  place: string | null,
): ReturnType<typeof listPage> {
  // Accounts may choose the ids of their products, spaces included.
  const [, id, created] = /^(.*?)(?: (\d+))?$/s.exec(place ?? '') ?? [];
  const read = (from: Readonly<Record<string, string>>) =>
    listPage(STRIPE_TITLE, client, kind.path, { ...query, ...from });
  if (place === null || id === undefined) return read({});
  if (created === undefined) return read({ starting_after: id });
  return (await read({ starting_after: id }).catch(nullIfRefused)) ?? read({ 'created[lte]': created });
}

const placeOf = (object: PlatformObject): string =>
  [idOf(object), decimalOf(object['created'])].filter((part) => part !== null).join(' ');

/** The whole of a list of which an object has the beginning. */
export async function wholeList(
  client: PlatformClient,
  path: string,
  begun: PlatformObject,
  data: readonly PlatformObject[],
): Promise<PlatformObject> {
  const all = [...data];
  for (let hasMore = begun['has_more'] === true; hasMore;) {
    const last = all.at(-1);
    const page = await listPage(STRIPE_TITLE, client, path, last ? { starting_after: idOf(last) } : {});
    if (page.data.length === 0 && page.hasMore)
      throw unexpectedAnswer(STRIPE_TITLE, `sent an empty page of ${path}`);
    all.push(...page.data);
    hasMore = page.hasMore;
  }
  return { ...begun, data: all, has_more: false };
}
