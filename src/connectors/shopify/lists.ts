import { type PlatformClient, type PlatformObject } from '../platform.js';
import { type PulledPage, type PullOptions } from '../pull.js';
import { isTooLarge } from '../client/platform-errors.js';
import { listQuery, type ShopifyKind } from './kinds.js';
import { completeAll } from './nested.js';
import { ask, connectionOf, isTooCostly } from './query.js';

/** Less than the 1,000 points that a single query may demand: objects differ in what is asked of them. */
const AIM = 800;

/** Where a list continues, and how many objects are asked for. */
interface Place {
  readonly size: number;
  readonly after: string | null;
}

/**
 * The objects of a kind that changed since a time, or all, in the order of their changes. Shopify's cursors hold the change
 * and the id of the last object: one that changes meanwhile moves to the end, and is read again. The length of pages
 * follows from what they cost.
 */
export async function* listPages(
  kind: ShopifyKind,
  client: PlatformClient,
  { since, cursor }: PullOptions,
): AsyncGenerator<PulledPage> {
  const document = listQuery(kind);
  const terms = since === null ? kind.terms : [...kind.terms, `updated_at:>='${secondOf(since)}'`];
  const query = terms.length === 0 ? null : terms.join(' AND ');
  let place = cursor === null ? { size: kind.first, after: null } : placeOf(cursor, kind);
  for (;;) {
    const { size, after } = place;
    let page;
    try {
      page = await readPage(kind, client, { document, variables: { first: size, after, query } });
    } catch (error) {
      if (size === 1 || !(isTooCostly(error) || isTooLarge(error))) throw error;
      place = { size: Math.ceil(size / 4), after };
      continue;
    }
    const { objects, next, demanded } = page;
    place = { size: nextSize(kind, size, demanded), after: next };
    yield { objects, cursor: next === null ? null : `${place.size} ${next}` };
    if (next === null) return;
  }
}

interface ListPage {
  readonly objects: readonly PlatformObject[];
  readonly next: string | null;
  readonly demanded: number | null;
}

async function readPage(
  kind: ShopifyKind,
  client: PlatformClient,
  { document, variables }: { readonly document: string; readonly variables: PlatformObject },
): Promise<ListPage> {
  const { data, demanded } = await ask(client, document, variables);
  const { nodes, next } = connectionOf(data, kind.name);
  return { objects: await completeAll(kind, client, nodes), next, demanded };
}

/** The length of the next page: as long as `AIM` allows, and not twice as long at once. */
function nextSize({ most }: ShopifyKind, size: number, demanded: number | null): number {
  if (demanded === null || demanded <= 0) return size;
  return Math.max(1, Math.min(most, size * 2, Math.floor((size * AIM) / demanded)));
}

function placeOf(cursor: string, { first }: ShopifyKind): Place {
  const [size = '', ...after] = cursor.split(' ');
  return { size: Number(size) || first, after: after.join(' ') };
}

/** Shopify's times are in whole seconds. */
const secondOf = (time: Date): string => `${time.toISOString().slice(0, 19)}Z`;
