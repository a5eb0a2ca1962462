import type { PlatformObject } from '../../connectors/platform.js';
import type { PullResource } from '../../connectors/pull.js';
import type { NamedRecord } from '../../connectors/inputs/schema.js';
import { nullIfRefused } from '../../connectors/client/platform-errors.js';
import { parsePlatformJson, stringifyPlatformJson } from '../../connectors/values/platform-json.js';
import { type PushResource, recordsNamed, type WriteForm } from '../../connectors/push.js';
import type { ScopeAccess } from '../../platforms/scope-access.js';
import { storeRecords } from '../../store/store-records.js';
import { mapObjects } from '../../store/map-objects.js';
import { lookupsFor } from '../../store/lookups.js';
import { markerOf } from '../engine.js';
import type { ItemRow } from '../item-state.js';
import type { CompareOptions } from './stale.js';
import { loadReferences } from '../../store/references.js';

export interface PrepareContext extends CompareOptions {
  readonly pulls: readonly PullResource[];
  readonly push: PushResource;
  readonly form: WriteForm;
  /** Records that the platform does not know either: requested once per upload. */
  readonly absent: Set<string>;
  /** Access that the company permits now, by record type. */
  readonly permitted: () => Promise<ReadonlyMap<string, ScopeAccess>>;
}

/** Whether an item has no request yet, or an unsent one based on an earlier read of the record. */
export const needsRequest = (
  { form }: Pick<PrepareContext, 'form'>,
  { request, firstSentAt }: Pick<ItemRow, 'request' | 'firstSentAt'>,
): boolean => request === null || (form.readsCurrent !== undefined && firstSentAt === null);

/** The requests of items that need one, as JSON text, by svc_id of the item. `read` is the object of an only item. */
export async function prepareRequests(
  preparing: PrepareContext,
  items: readonly ItemRow[],
  read: PlatformObject | undefined,
): Promise<Map<number, string>> {
  const { form, push, sql, target } = preparing;
  const given = items.map((item) => ({
    item,
    input: form.input.parse(parsePlatformJson(item.input.text).value),
  }));
  const named = given.flatMap(({ input }) => recordsNamed(form, input));
  let references = await loadReferences(sql, target, named, push.reads);
  const unknown = named.filter((one) => !references.isKnown(one.dataModel, one.platformId));
  if (await readUnknown(preparing, unknown)) {
    references = await loadReferences(sql, target, named, push.reads);
  }
  const currents = await readCurrents(preparing, given, read);
  return new Map(
    given.map(({ item, input }) => {
      const current = currents.get(item.svcId) ?? null;
      const request = form.toRequest(input, { references, marker: markerOf(item.jobId), current });
      return [item.svcId, stringifyPlatformJson(request)];
    }),
  );
}

/** The changed records as the platform has them now. */
async function readCurrents(
  { platform, resource, form }: PrepareContext,
  given: readonly { readonly item: ItemRow; readonly input: Readonly<Record<string, unknown>> }[],
  read: PlatformObject | undefined,
): Promise<Map<number, PlatformObject>> {
  const currents = new Map<number, PlatformObject>();
  for (const { item, input } of given.filter(({ input }) => form.readsCurrent?.(input))) {
    // A refused read is left to the write, which gets the same error.
    const object =
      read ?? (await resource.read?.(platform, String(input['platform_id'])).catch(nullIfRefused));
    if (object) currents.set(item.svcId, object);
  }
  return currents;
}

/**
 * Referenced records that are unknown here may be newer than our copy: they are read from the platform and stored, where
 * the company permits it.
 * Returns whether any was.
 */
async function readUnknown(preparing: PrepareContext, unknown: readonly NamedRecord[]): Promise<boolean> {
  const { sql, platform, target, pulls, baseCurrency, absent } = preparing;
  if (unknown.length === 0) return false;
  const access = await preparing.permitted();
  let isAny = false;
  for (const { dataModel, platformId } of unknown) {
    const key = `${dataModel} ${platformId}`;
    const resource = pulls.find(({ definition }) => definition.dataModel === dataModel);
    if (absent.has(key) || !resource?.read || access.get(dataModel)?.read === false) continue;
    absent.add(key);
    const object = await resource.read(platform, platformId).catch(nullIfRefused);
    if (!object) continue;
    const lookups = await lookupsFor(sql, target, { resource, objects: [object] }, baseCurrency);
    const { records } = mapObjects(resource, [object], lookups);
    const cause = { kind: 'write', id: preparing.uploadId } as const;
    await storeRecords(sql, { ...target, definition: resource.definition, cause, records });
    isAny ||= records.length > 0;
  }
  return isAny;
}
