import { type PlatformClient, type PlatformObject } from '../platform.js';
import { type ReadByIds } from '../pull.js';
import { nodesQuery, type ShopifyKind } from './kinds.js';
import { idsOf } from './mappers/values.js';
import { completeAll } from './nested.js';
import { ask, nodesIn } from './query.js';

/** Reads objects of a kind by our ids, in one call where nothing of them has to be completed. */
export const byIdsOf = (kind: ShopifyKind): ReadByIds => ({
  most: kind.first,
  read: async (client, platformIds) => {
    const ids = platformIds
      .filter((id) => /^\d{1,30}$/.test(id))
      .map((id) => `gid://shopify/${kind.type}/${id}`);
    if (ids.length === 0) return new Map();
    const { data } = await ask(client, nodesQuery(kind), { ids });
    const nodes = nodesIn(data).filter((node) => node !== null);
    const objects = await completeAll(kind, client, nodes);
    return new Map(objects.map((object) => [idsOf(object).platformId, object]));
  },
});

/** Reads one object by our id. */
export const readOne =
  (byIds: ReadByIds) =>
  async (client: PlatformClient, platformId: string): Promise<PlatformObject | null> =>
    (await byIds.read(client, [platformId])).get(platformId) ?? null;
