import { type PlatformClient } from '../platform.js';
import { type CuttableIdPage, type Deletions, type IdPage, type PullOptions, type Sweep } from '../pull.js';
import { inTurn, type Part } from '../lists/in-turn.js';
import { isTooLarge, nullIfRefused } from '../client/platform-errors.js';
import { listOf } from '../values/required-values.js';
import { QUICKBOOKS_TITLE } from './client.js';
import { platformIdOf, type QuickBooksKind } from './kinds.js';
import { secondOf } from './lists.js';
import { idPages } from './numbered.js';
import { idOf, listedName } from './query.js';

/** QuickBooks tells what changed for 30 days. A day is for the time that a sync takes. */
export const CHANGE_DAYS = 29;

/** As many objects as an answer may have. It has no next page, and the order is not documented. */
const MOST = 1000;

/** The Ids of an entity's objects that were deleted since a time, and whether there may be more. */
export async function deletedSince(
  client: PlatformClient,
  entity: string,
  since: Date,
): Promise<{ readonly ids: readonly string[]; readonly isCut: boolean }> {
  const query = { entities: entity, changedSince: secondOf(since.getTime()) };
  // The objects that still exist come along, complete. A time too long ago by QuickBooks' clock is refused.
  const answer = await client.get('/cdc', { query }).catch((error: unknown) => {
    return isTooLarge(error) ? null : nullIfRefused(error);
  });
  if (answer === null) return { ids: [], isCut: true };
  const changed = listOf(QUICKBOOKS_TITLE, answer, 'CDCResponse')
    .flatMap((response) => listOf(QUICKBOOKS_TITLE, response, 'QueryResponse'))
    .flatMap((list) => {
      const name = listedName(list, entity);
      return list[name] === undefined ? [] : listOf(QUICKBOOKS_TITLE, list, name);
    });
  const ids = changed.filter(({ status }) => status === 'Deleted').map(idOf);
  return { ids, isCut: changed.length >= MOST };
}

/** A feed of what is deleted. */
export const feedOf = (kind: QuickBooksKind): Deletions<CuttableIdPage> => ({
  kind: 'feed',
  reachDays: CHANGE_DAYS,
  async *pages(client, { since }) {
    if (since === null) throw new Error('deletions are listed since a time');
    const { ids, isCut } = await deletedSince(client, kind.entity, since);
    const platformIds = ids.map((id) => platformIdOf(kind, id));
    yield { platformIds, cursor: null, ...(isCut ? { isCut } : {}) };
  },
});

/** A sweep of the ids of all objects. */
export function sweepOf(kinds: readonly QuickBooksKind[]): Sweep {
  const parts = kinds.map((kind): Part<IdPage> => ({
    name: kind.entity,
    async *pages(client, { cursor }) {
      for await (const page of idPages(kind, client, cursor)) {
        yield { platformIds: page.ids.map((id) => platformIdOf(kind, id)), cursor: page.cursor };
      }
    },
  }));
  const pages = (client: PlatformClient, options: PullOptions) => inTurn(parts, client, options);
  return { kind: 'sweep', pages };
}
