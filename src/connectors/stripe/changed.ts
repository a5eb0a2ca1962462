import { type PlatformClient, type PlatformObject } from '../platform.js';
import { type PulledPage, type PullOptions } from '../pull.js';
import { secondsOf } from '../lists/newest-first.js';
import { absentOn404 } from '../client/platform-errors.js';
import { decimalOf } from '../values/platform-values.js';
import { eventPages, idsIn } from './events.js';
import { expandQuery, type StripeKind } from './kinds.js';

/** Concurrent calls of one page: others want their turn, too. */
const AT_ONCE = 5;

/**
 * The objects that events report as changed since a time, in their present state: an event holds an older one, in the
 * form of another version of the API. Those created since then are read from their list.
 */
export async function* changedPages(
  kind: StripeKind,
  client: PlatformClient,
  options: PullOptions,
): AsyncGenerator<PulledPage> {
  const { since } = options;
  const isNew = (object: PlatformObject): boolean =>
    since !== null &&
    object['object'] === kind.object &&
    Number(decimalOf(object['created'])) >= secondsOf(since);
  for await (const { objects, cursor } of eventPages(kind.changes ?? [], client, options)) {
    const ids = idsIn(
      kind,
      objects.filter((object) => !isNew(object)),
    );
    yield { objects: await readAll(kind, client, ids), cursor };
  }
}

/** One object by its id; null if there is none, or none any more. */
export async function readOne(
  kind: StripeKind,
  client: PlatformClient,
  id: string,
): Promise<PlatformObject | null> {
  const path = `${kind.path}/${encodeURIComponent(id)}`;
  const object = await client.get(path, { query: expandQuery(kind, '') }).catch(absentOn404);
  if (object === null || object['deleted'] === true) return null;
  const [completed] = (await kind.complete?.(client)([object])) ?? [object];
  return completed ?? null;
}

async function readAll(
  kind: StripeKind,
  client: PlatformClient,
  ids: readonly string[],
): Promise<readonly PlatformObject[]> {
  const found: PlatformObject[] = [];
  for (let start = 0; start < ids.length; start += AT_ONCE) {
    const some = ids.slice(start, start + AT_ONCE);
    const objects = await Promise.all(some.map((id) => readOne(kind, client, id)));
    found.push(...objects.filter((object) => object !== null));
  }
  return found;
}
