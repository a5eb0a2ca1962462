import { type PlatformClient, type PlatformObject } from '../../platform.js';
import { type IdPage, type PullOptions } from '../../pull.js';
import { objectOf } from '../../values/platform-values.js';
import { unexpectedAnswer } from '../../values/required-values.js';
import { createdSince, listPage } from '../../lists/newest-first.js';
import { PAY_TITLE } from './client.js';
import { idOf } from './mappers/id.js';

interface EventPage {
  /** The objects of the events, oldest event first. */
  readonly objects: readonly PlatformObject[];
  readonly cursor: string | null;
}

/**
 * The events of one type since a time, oldest first: a later page then only has later states, even when a pull resumes
 * from its cursor, the id of the last event read. Pay lists events newest first and pages forward only from a known
 * event: without a cursor, the oldest page is looked for first.
 */
export async function* eventPages(
  type: string,
  client: PlatformClient,
  { since, cursor }: PullOptions,
): AsyncGenerator<EventPage> {
  const types = { 'types[]': type };
  let known = cursor;
  if (known === null) {
    const oldest = await oldestPage(client, { ...types, ...createdSince(since) });
    known = oldest.isOnly ? null : newestOf(oldest.data);
    yield { objects: objectsOf(oldest.data), cursor: known };
    if (known === null) return;
  }
  for (;;) {
    const { data, hasMore } = await listPage(PAY_TITLE, client, '/events', {
      ...types,
      ending_before: known,
    });
    const next = hasMore ? newestOf(data) : null;
    if (next === known) throw unexpectedAnswer(PAY_TITLE, `sent the same events of ${type} twice`);
    yield { objects: objectsOf(data), cursor: next };
    if (next === null) return;
    known = next;
  }
}

/** The same for the ids of deleted objects. */
export async function* deletionPages(
  type: string,
  client: PlatformClient,
  options: PullOptions,
): AsyncGenerator<IdPage> {
  for await (const { objects, cursor } of eventPages(type, client, options)) {
    yield { platformIds: objects.map((object) => idOf(object)), cursor };
  }
}

interface OldestPage {
  readonly data: readonly PlatformObject[];
  /** It is the only page. */
  readonly isOnly: boolean;
}

async function oldestPage(
  client: PlatformClient,
  query: Readonly<Record<string, string>>,
): Promise<OldestPage> {
  let page = await listPage(PAY_TITLE, client, '/events', query);
  let isOnly = true;
  while (page.hasMore) {
    isOnly = false;
    page = await listPage(PAY_TITLE, client, '/events', { ...query, starting_after: oldestOf(page.data) });
  }
  return { data: page.data, isOnly };
}

function newestOf(data: readonly PlatformObject[]): string {
  return idOf(data[0] ?? {});
}

function oldestOf(data: readonly PlatformObject[]): string {
  return idOf(data.at(-1) ?? {});
}

/** The latest state of each object: it may have several events on a page. */
function objectsOf(data: readonly PlatformObject[]): readonly PlatformObject[] {
  const latest = new Map<string, PlatformObject>();
  for (const event of data.toReversed()) {
    const object = objectOf(objectOf(event['data'])?.['object']);
    if (!object) throw unexpectedAnswer(PAY_TITLE, 'sent an event without its object');
    latest.set(idOf(object), object);
  }
  return [...latest.values()];
}
