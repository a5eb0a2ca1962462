import { type PlatformClient, type PlatformObject } from '../platform.js';
import { type ReadByIds } from '../pull.js';
import { withContext } from '../values/platform-json.js';
import { existing, ENTITY, ownIdOf, platformIdOf, type QuickBooksKind } from './kinds.js';
import { ask, idOf, quoted, where } from './query.js';

/** Objects of a kind by their Ids, as far as they exist. */
export async function readIds(
  kind: QuickBooksKind,
  client: PlatformClient,
  ids: readonly string[],
): Promise<readonly PlatformObject[]> {
  const { entity, isMarked } = kind;
  const own = ids.filter((id) => /^\d{1,30}$/.test(id));
  if (own.length === 0) return [];
  const conditions = [`Id in (${own.map(quoted).join(', ')})`, ...existing(kind)];
  const objects = await ask(client, entity, [...where(conditions), `maxresults ${own.length}`]);
  return isMarked ? objects.map((object) => withContext(object, { [ENTITY]: entity })) : objects;
}

/** More would make the query too long. */
const MAX_IDS = 100;

/** Reads objects of some kinds by our ids, a call for each kind. */
export const byIdsOf = (kinds: readonly QuickBooksKind[]): ReadByIds => ({
  most: MAX_IDS,
  read: async (client, platformIds) => {
    const found = new Map<string, PlatformObject>();
    for (const kind of kinds) {
      const ids = platformIds.flatMap((platformId) => ownIdOf(kind, platformId) ?? []);
      for (const object of await readIds(kind, client, ids))
        found.set(platformIdOf(kind, idOf(object)), object);
    }
    return found;
  },
});
