import { type PlatformClient } from '../../src/connectors/platform.js';
import {
  type Lookups,
  type PulledPage,
  type PullResource,
  type UnifiedRecord,
} from '../../src/connectors/pull.js';

export const everything = { since: null, cursor: null };

export async function pagesOf(
  resource: PullResource,
  client: PlatformClient,
  options: Parameters<PullResource['pages']>[1] = everything,
): Promise<PulledPage[]> {
  const pages: PulledPage[] = [];
  for await (const page of resource.pages(client, options)) pages.push(page);
  return pages;
}

/** Records by data model. */
export type Records = Map<string, UnifiedRecord[]>;

/** The records of all pages, with codes looked up among them all. */
export function mapAll(
  pulls: readonly PullResource[],
  pagesFor: (resource: PullResource) => readonly PulledPage[],
  baseCurrency: string | null = null,
): Records {
  const records: Records = new Map();
  // Twice: a record type may look itself up.
  for (let pass = 1; pass <= 2; pass += 1) {
    const lookups = lookupsOf(records, baseCurrency);
    for (const resource of pulls) {
      const objects = pagesFor(resource).flatMap((page) => page.objects);
      const found = objects.map((object) => resource.toUnified(object, lookups));
      records.set(
        resource.definition.dataModel,
        found.filter((record) => record !== null),
      );
    }
  }
  return records;
}

export function lookupsOf(
  records: ReadonlyMap<string, readonly UnifiedRecord[]>,
  baseCurrency: string | null = null,
): Lookups {
  const indexes = new Map<string, Map<unknown, string>>();
  const indexOf = (dataModel: string, field: string) => {
    const name = `${dataModel} ${field}`;
    const known = indexes.get(name);
    if (known) return known;
    const index = new Map(
      (records.get(dataModel) ?? []).map(({ platformId, values }) => [
        (values as Readonly<Record<string, unknown>>)[field],
        platformId,
      ]),
    );
    indexes.set(name, index);
    return index;
  };
  return {
    baseCurrency,
    platformIdOf: (dataModel, field, value) => indexOf(dataModel, field).get(value) ?? null,
  };
}
