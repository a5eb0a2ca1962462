import { type PlatformClient, type PlatformObject } from '../../platform.js';
import { type Deletions, type IdPage, type PulledPage, type PullOptions } from '../../pull.js';
import { absentOn404 } from '../../client/platform-errors.js';
import { createdSince, listPage } from '../../lists/newest-first.js';
import { PAY_TITLE } from './client.js';
import { deletionPages, eventPages } from './events.js';
import { idOf } from './mappers/id.js';

/** Days that Pay keeps its events, the only record of changes and deletions. */
export const EVENT_DAYS = 30;

/** Where a record type is read. */
export interface PayKind {
  /** Name of its list, such as `payment_links`. */
  readonly list: string;
  /** Prefix of its event types, such as `payment_link`. */
  readonly object: string;
}

/** All objects of a kind, or those created or changed since a time: Pay reports changes only as events. */
export function kindPages(
  kind: PayKind,
  client: PlatformClient,
  options: PullOptions,
): AsyncIterable<PulledPage> {
  return options.since === null ? listPages(kind, client, options) : changedPages(kind, client, options);
}

/** One object of a kind, by its id. */
export const readOne =
  ({ list }: PayKind) =>
  (client: PlatformClient, platformId: string): Promise<PlatformObject | null> =>
    client.get(`/${list}/${encodeURIComponent(platformId)}`).catch(absentOn404);

export function deletionsOf(kind: PayKind): readonly Deletions[] {
  return [
    { kind: 'feed', reachDays: EVENT_DAYS, pages: (client, options) => deletedPages(kind, client, options) },
  ];
}

const deletedPages = (kind: PayKind, client: PlatformClient, options: PullOptions): AsyncIterable<IdPage> =>
  deletionPages(`${kind.object}.deleted`, client, options);

/** Newest first; objects created meanwhile precede the first page and are left to the next pull. */
async function* listPages(
  { list }: PayKind,
  client: PlatformClient,
  { since, cursor }: PullOptions,
): AsyncGenerator<PulledPage> {
  const query = createdSince(since);
  for (let after = cursor; ;) {
    const page = await listPage(
      PAY_TITLE,
      client,
      `/${list}`,
      after === null ? query : { ...query, starting_after: after },
    );
    after = page.hasMore ? idOf(page.data.at(-1) ?? {}) : null;
    yield { objects: page.data, cursor: after };
    if (after === null) return;
  }
}

/**
 * First the objects that events report as changed, then those created: these are read in their current state, so
 * nothing older can follow. Events alone are not enough: an account's initial objects have none. The cursor is the name
 * of the part and its own cursor.
 */
async function* changedPages(
  kind: PayKind,
  client: PlatformClient,
  options: PullOptions,
): AsyncGenerator<PulledPage> {
  const [part, ...rest] = options.cursor?.split(':') ?? [];
  const cursor = rest.join(':') || null;
  if (part !== 'created') {
    const resumed = { ...options, cursor: part === 'updated' ? cursor : null };
    let deleted: ReadonlySet<string> | null = null;
    for await (const page of eventPages(`${kind.object}.updated`, client, resumed)) {
      if (page.objects.length > 0) deleted ??= await deletedSince(kind, client, options.since);
      const objects = page.objects.filter((object) => !deleted?.has(idOf(object)));
      yield { objects, cursor: page.cursor === null ? 'created:' : `updated:${page.cursor}` };
    }
  }
  const resumed = { ...options, cursor: part === 'created' ? cursor : null };
  for await (const page of listPages(kind, client, resumed)) {
    yield { objects: page.objects, cursor: page.cursor === null ? null : `created:${page.cursor}` };
  }
}

/** Events may report changes of objects deleted since, which must not be restored. */
async function deletedSince(
  kind: PayKind,
  client: PlatformClient,
  since: Date | null,
): Promise<ReadonlySet<string>> {
  const deleted = new Set<string>();
  for await (const { platformIds } of deletedPages(kind, client, { since, cursor: null })) {
    for (const id of platformIds) deleted.add(id);
  }
  return deleted;
}
