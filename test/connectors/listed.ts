import { randomUUID } from 'node:crypto';

import { type PlatformClient, type PlatformObject } from '../../src/connectors/platform.js';
import {
  type CuttableIdPage,
  type Lookups,
  type PulledPage,
  type PullResource,
  type UnifiedRecord,
} from '../../src/connectors/pull.js';
import { type ConformancePlatform } from './conformance.js';

/** What pulled pages say of the records of a type. */

export async function firstOf<Page>(pages: AsyncIterable<Page>): Promise<Page> {
  for await (const page of pages) return page;
  throw new Error('there is no page');
}

const NOTHING_KNOWN: Lookups = { baseCurrency: null, platformIdOf: () => null };

export function recordsOf(
  resource: PullResource,
  pages: readonly PulledPage[],
): [UnifiedRecord, PlatformObject][] {
  return pages
    .flatMap(({ objects }) => objects)
    .map((object) => [resource.toUnified(object, NOTHING_KNOWN), object] as const)
    .filter((pair): pair is [UnifiedRecord, PlatformObject] => pair[0] !== null);
}

export function idsOf(resource: PullResource, pages: readonly PulledPage[]): string[] {
  return recordsOf(resource, pages).map(([{ platformId }]) => platformId);
}

/** Platforms may go on listing what was deleted, and say so. */
export function livingIds(resource: PullResource, pages: readonly PulledPage[]): string[] {
  return recordsOf(resource, pages).flatMap(([{ platformId, deleted }]) => (deleted ? [] : platformId));
}

export function saidToBeDeleted(resource: PullResource, pages: readonly PulledPage[]): string[] {
  return recordsOf(resource, pages).flatMap(([{ platformId, deleted }]) => (deleted ? platformId : []));
}

/** The last object of each record, by its id. */
export function latestOf(resource: PullResource, pages: readonly PulledPage[]): [string, PlatformObject][] {
  const latest = new Map(
    recordsOf(resource, pages).map(([{ platformId }, object]) => [platformId, object] as const),
  );
  return [...latest].sort(([one], [other]) => (one < other ? -1 : 1));
}

/** Of what was there before: what feeds list since a time, and what sweeps do not. One page at a time. */
export async function deletedIds(
  { deletions = [] }: PullResource,
  client: PlatformClient,
  { since, before }: { readonly since: Date; readonly before: readonly string[] },
): Promise<readonly string[]> {
  const gone: string[] = [];
  for (const way of deletions) {
    const isFeed = way.kind !== 'sweep';
    const listed: string[] = [];
    const wholes: string[] = [];
    for (let cursor: string | null = null; ;) {
      const page: CuttableIdPage = await firstOf(way.pages(client, { since: isFeed ? since : null, cursor }));
      listed.push(...page.platformIds);
      wholes.push(...(page.wholes ?? []));
      cursor = page.cursor;
      if (cursor === null) break;
    }
    // The ids of parts begin with that of their whole.
    const isListed = (id: string) => listed.includes(id) || wholes.includes(id.split(':')[0] ?? '');
    gone.push(...before.filter((id) => isListed(id) === isFeed));
  }
  return gone;
}

/** An id of nothing at the platform. */
export const unusedIdOf = ({ unusedId }: ConformancePlatform, dataModel: string): string =>
  unusedId?.(dataModel) ?? randomUUID();
