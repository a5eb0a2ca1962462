import type { PlatformClient, PlatformObject } from '../../connectors/platform.js';
import type { ReadByIds } from '../../connectors/pull.js';

type FoundObjects = ReadonlyMap<string, PlatformObject>;

/** The existing ones of some objects, by their ids. */
export type ReadNamed = (byIds: ReadByIds, platformIds: readonly string[]) => Promise<FoundObjects>;

/** For one sync: objects read for one record type are not read again for another type with the same `byIds`. */
export function createNamedReads(platform: PlatformClient): ReadNamed {
  const asked = new Map<ReadByIds, Map<string, PlatformObject | null>>();
  return async (byIds, platformIds) => {
    const known = asked.get(byIds) ?? new Map<string, PlatformObject | null>();
    asked.set(byIds, known);
    const wanted = platformIds.filter((id) => !known.has(id));
    if (wanted.length > 0) {
      const read = await byIds.read(platform, wanted);
      for (const id of wanted) known.set(id, read.get(id) ?? null);
    }
    return new Map(
      platformIds.flatMap((id) => {
        const object = known.get(id);
        return object ? [[id, object] as const] : [];
      }),
    );
  };
}
