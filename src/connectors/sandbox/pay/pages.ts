import { type Deletions, type PlatformClient, type PulledPage, type PullOptions } from '../../connector.js';
import { requiredText } from '../objects.js';
import { PAY_TITLE } from './client.js';
import { deletionPages, eventPages } from './events.js';
import { listPage } from './lists.js';

/** Where a record type is read. */
export interface PayKind {
  /** Its list: `payment_links`. */
  readonly list: string;
  /** What its events are called after: `payment_link`. */
  readonly object: string;
}

/** All objects of a kind, or those that changed since: Pay tells changes by events only. */
export function kindPages(
  kind: PayKind,
  client: PlatformClient,
  options: PullOptions,
): AsyncIterable<PulledPage> {
  return options.since === null
    ? listPages(kind, client, options.cursor)
    : changedPages(kind, client, options);
}

export function deletionsOf(kind: PayKind): Deletions {
  return {
    kind: 'feed',
    pages: (client, options) => deletionPages(`${kind.object}.deleted`, client, options),
  };
}

/** Newest first; what is created meanwhile comes before the beginning and is left to the next pull. */
async function* listPages(
  { list }: PayKind,
  client: PlatformClient,
  cursor: string | null,
): AsyncGenerator<PulledPage> {
  for (let after = cursor; ;) {
    const { data, hasMore } = await listPage(
      client,
      `/${list}`,
      after === null ? {} : { starting_after: after },
    );
    after = hasMore ? requiredText(PAY_TITLE, data.at(-1) ?? {}, 'id') : null;
    yield { objects: data, cursor: after };
    if (after === null) return;
  }
}

/** In this order: of no object is the change older than its creation. */
const CHANGES = ['created', 'updated'] as const;

/** First what was created, then what was changed. The cursor is the name of the change and its own cursor. */
async function* changedPages(
  { object }: PayKind,
  client: PlatformClient,
  options: PullOptions,
): AsyncGenerator<PulledPage> {
  const [name = '', cursor = ''] = options.cursor?.split(':', 2) ?? [];
  const resumed = Math.max(
    0,
    CHANGES.findIndex((change) => change === name),
  );
  for (const [index, change] of CHANGES.entries()) {
    if (index < resumed) continue;
    const resume = change === name && cursor !== '' ? cursor : null;
    const next = CHANGES[index + 1];
    for await (const page of eventPages(`${object}.${change}`, client, { ...options, cursor: resume })) {
      const after = next === undefined ? null : `${next}:`;
      yield { objects: page.objects, cursor: page.cursor === null ? after : `${change}:${page.cursor}` };
    }
  }
}
