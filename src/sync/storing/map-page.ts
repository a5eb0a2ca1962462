import { setImmediate } from 'node:timers/promises';
import type { PlatformObject } from '../../connectors/platform.js';
import type { Lookups, PullResource, SharedListing } from '../../connectors/pull.js';
import type { RecordDefinition } from '../../records/define.js';
import { mapObjects } from '../../store/map-objects.js';
import {
  batchesOf,
  type IncomingRecord,
  type ReadyBatch,
  readyWhere,
  type UnmappedObject,
} from '../../store/ready-batch.js';

/** Records that are probably stored here already, and are compared first. */
interface KnownBatch {
  readonly definition: RecordDefinition;
  readonly platformIds: readonly string[];
  readonly records: readonly IncomingRecord[];
}

/** A page's mapped objects, reduced to what is stored. */
export interface MappedPage {
  readonly batches: readonly (ReadyBatch | KnownBatch)[];
  readonly unmapped: readonly UnmappedObject[];
  /** The ids of objects that now have another record type: a record with one of them is gone. */
  readonly others: readonly string[];
}

/** Context needed to map a page. */
interface PageToMap {
  readonly resource: PullResource;
  /** Called only if there are objects to map. */
  readonly lookups: () => Promise<Lookups>;
  /** Nothing of this record type is stored yet. */
  readonly isNew: boolean;
  readonly idOfOther?: SharedListing['idOf'];
}

/** Objects mapped in one turn of the event loop, some 2 ms: in between, database answers are processed. */
const SLICE = 25;

const EMPTY: MappedPage = { batches: [], unmapped: [], others: [] };

/** Maps a page and prepares new records for sending: all the work that needs no database. */
export async function mapPage(
  { resource, lookups, isNew, idOfOther }: PageToMap,
  objects: readonly PlatformObject[],
): Promise<MappedPage> {
  if (objects.length === 0) return EMPTY;
  const index = await lookups();
  const records: IncomingRecord[] = [];
  const unmapped: UnmappedObject[] = [];
  const others: string[] = [];
  for (let start = 0; start < objects.length; start += SLICE) {
    if (start > 0) await setImmediate();
    const mapped = mapObjects(resource, objects.slice(start, start + SLICE), index);
    records.push(...mapped.records);
    unmapped.push(...mapped.unmapped);
    others.push(...mapped.others.flatMap((object) => idOfOther?.(object) ?? []));
  }
  const { batches, unmapped: unready } = pageBatches(resource.definition, records, isNew);
  return { batches, unmapped: [...unmapped, ...unready], others };
}

/** The batches of a page, and the objects that cannot be in any. */
export function pageBatches(
  definition: RecordDefinition,
  records: readonly IncomingRecord[],
  isNew: boolean,
): Pick<MappedPage, 'batches' | 'unmapped'> {
  const pieces = batchesOf(records);
  if (!isNew) {
    const known = pieces.map((batch) => ({
      definition,
      platformIds: batch.map(({ platformId }) => platformId),
      records: batch,
    }));
    return { batches: known, unmapped: [] };
  }
  const made = pieces.map((batch) => readyWhere(definition, batch));
  return { batches: made.map(({ ready }) => ready), unmapped: made.flatMap(({ unmapped }) => unmapped) };
}
