import type { PlatformObject } from '../connectors/platform.js';
import type { Lookups, PullResource, UnifiedRecord } from '../connectors/pull.js';
import { hashPlatformObject } from '../connectors/values/data-hash.js';
import { stringifyPlatformJson, wasAltered } from '../connectors/values/platform-json.js';
import { toAppError } from '../errors.js';
import type { IncomingRecord, UnmappedObject } from './ready-batch.js';

interface MappedObjects {
  readonly records: readonly IncomingRecord[];
  readonly unmapped: readonly UnmappedObject[];
  /** Objects of another record type. */
  readonly others: readonly PlatformObject[];
}

/** A page's objects mapped to records; an object that cannot be mapped does not block others. */
export function mapObjects(
  resource: PullResource,
  objects: readonly PlatformObject[],
  lookups: Lookups,
): MappedObjects {
  const records: IncomingRecord[] = [];
  const unmapped: UnmappedObject[] = [];
  const others: PlatformObject[] = [];
  for (const object of objects) {
    try {
      const unified = resource.toUnified(object, lookups);
      if (unified) records.push(toIncoming(resource, object, unified));
      else others.push(object);
    } catch (error) {
      const raw = stringifyPlatformJson(object);
      unmapped.push({ raw, dataHash: hashPlatformObject(object), message: toAppError(error).message });
    }
  }
  return { records, unmapped, others };
}

function toIncoming(resource: PullResource, object: PlatformObject, unified: UnifiedRecord): IncomingRecord {
  return {
    ...unified,
    raw: { text: stringifyPlatformJson(object), altered: wasAltered(object) },
    dataHash: hashPlatformObject(object),
    mapperVersion: resource.mapperVersion,
  };
}
