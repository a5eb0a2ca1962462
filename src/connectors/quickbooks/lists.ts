import { type PlatformClient, type PlatformObject, type PulledPage, type PullOptions } from '../connector.js';
import { isTooLarge } from '../client/platform-errors.js';
import { withContext } from '../values/platform-json.js';
import { objectOf } from '../values/platform-values.js';
import { unexpectedAnswer } from '../values/required-values.js';
import { instantOf } from '../values/times.js';
import { QUICKBOOKS_TITLE } from './client.js';
import { ENTITY, type QuickBooksKind } from './kinds.js';
import { numberedPage, type NumberedPlace, placeAfter, placeIn, placeText } from './numbered.js';
import { ask, existing, idOf, quoted, where } from './query.js';

/** Where to go on in a list by last change. */
interface Place {
  /** From this second on, inclusive; null from the beginning. */
  readonly from: string | null;
  /** Within this second, in which more objects changed than a page holds. */
  readonly within: NumberedPlace | null;
}

interface ListPage {
  readonly objects: readonly PlatformObject[];
  readonly next: Place | null;
}

/** Smaller pages could not be continued. */
const LEAST = 2;

/**
 * The objects of a kind that changed since a time, or all, the oldest change first. Pages continue from a time: an object
 * that changes meanwhile moves to the end, and is read again. The last second of a full page may have more objects, so
 * the next page begins with it; more than a page of them are ordered by Id. The cursor is that second, and the place
 * within it. A page that is too long or takes too long is read in smaller ones.
 */
export async function* listPages(
  kind: QuickBooksKind,
  client: PlatformClient,
  { since, cursor }: PullOptions,
): AsyncGenerator<PulledPage> {
  const [second, ...rest] = cursor?.split(' ') ?? [since === null ? undefined : secondOf(since.getTime())];
  let place: Place = { from: second ?? null, within: placeIn(rest.join(' ')) };
  let size = kind.pageSize;
  for (;;) {
    let page;
    try {
      page = await pageAt(kind, client, place, size);
    } catch (error) {
      if (size === LEAST || !isTooLarge(error)) throw error;
      size = Math.max(LEAST, Math.ceil(size / 10));
      continue;
    }
    const { objects, next } = page;
    const listed = kind.isMarked
      ? objects.map((object) => withContext(object, { [ENTITY]: kind.entity }))
      : objects;
    if (listed.length > 0 || next === null) yield { objects: listed, cursor: next && cursorOf(next) };
    if (next === null) return;
    place = next;
  }
}

const cursorOf = ({ from, within }: Place): string =>
  [from, ...(within ? [placeText(within)] : [])].join(' ');

async function pageAt(
  kind: QuickBooksKind,
  client: PlatformClient,
  { from, within }: Place,
  size: number,
): Promise<ListPage> {
  const since = from === null ? [] : [`${STAMP} >= ${quoted(from)}`];
  const conditions = [...existing(kind), ...since];
  if (from === null || within === null) {
    const clauses = [...where(conditions), `orderby ${STAMP}, Id maxresults ${size}`];
    return upToLastSecond(await ask(client, kind.entity, clauses), size);
  }
  const end = secondAfter(from);
  const inSecond = [...conditions, `${STAMP} < ${quoted(end)}`];
  const page = await numberedPage(client, kind.entity, { conditions: inSecond, size }, within);
  const next = page.next ? { from, within: page.next } : { from: end, within: null };
  return { objects: page.objects, next };
}

const STAMP = 'MetaData.LastUpdatedTime';

function upToLastSecond(objects: readonly PlatformObject[], size: number): ListPage {
  const seconds = objects.map(changedAt);
  if (seconds.some((second, index) => second < (seconds[index - 1] ?? second))) {
    throw unexpectedAnswer(QUICKBOOKS_TITLE, 'must list objects in the order of their changes');
  }
  const last = seconds.at(-1);
  if (objects.length < size || last === undefined) return { objects, next: null };
  const before = objects.slice(0, seconds.indexOf(last));
  return before.length === 0
    ? { objects, next: { from: last, within: placeAfter(objects.map(idOf), 1) } }
    : { objects: before, next: { from: last, within: null } };
}

/** The second of the last change, in UTC. */
function changedAt(object: PlatformObject): string {
  const instant = instantOf(objectOf(object['MetaData'])?.['LastUpdatedTime']);
  if (instant === null) throw unexpectedAnswer(QUICKBOOKS_TITLE, 'sent an object without its last change');
  return secondOf(Date.parse(instant));
}

/** A time in whole seconds, as queries have it. */
export const secondOf = (milliseconds: number): string =>
  `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;

const secondAfter = (second: string): string => secondOf(Date.parse(second) + 1000);
