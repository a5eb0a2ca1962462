import { type PlatformClient, type PlatformObject } from '../platform.js';
import { unexpectedAnswer } from '../values/required-values.js';
import { QUICKBOOKS_TITLE } from './client.js';
import { existing, type QuickBooksKind } from './kinds.js';
import { ask, idOf, where } from './query.js';

/** A place in a list that is ordered by Id. QuickBooks finds Ids only if they are equal, so that it is a number. */
export interface NumberedPlace {
  /** Counted from 1. */
  readonly start: number;
  /** The last Ids of the page before. */
  readonly last: readonly string[];
}

export const beginning: NumberedPlace = { start: 1, last: [] };

export const placeText = ({ start, last }: NumberedPlace): string => `${start} ${last.join(',')}`;

export function placeIn(text: string): NumberedPlace | null {
  const [, start, last = ''] = /^([1-9]\d{0,9}) (\S*)$/.exec(text) ?? [];
  return start === undefined
    ? null
    : { start: Number(start), last: last.split(',').filter((id) => id !== '') };
}

/** Objects that the next page repeats: some may have left the list meanwhile. */
const REPEATED = 10;

interface NumberedList {
  readonly conditions: readonly string[];
  readonly size: number;
  readonly fields?: string;
}

interface NumberedPage {
  readonly objects: readonly PlatformObject[];
  readonly next: NumberedPlace | null;
}

/**
 * A page of a list in the order of Ids. It begins before the end of the one before: if it has none of its last objects,
 * more have left than are repeated, and the next page goes back.
 */
export async function numberedPage(
  client: PlatformClient,
  entity: string,
  { conditions, size, fields }: NumberedList,
  { start, last }: NumberedPlace,
): Promise<NumberedPage> {
  const clauses = [...where(conditions), `orderby Id startposition ${start} maxresults ${size}`];
  const objects = await ask(client, entity, clauses, fields);
  const ids = objects.map(idOf);
  if (start > 1 && !ids.some((id) => last.includes(id))) {
    return { objects: [], next: { start: Math.max(1, start - Math.ceil(size / 2)), last } };
  }
  return {
    objects: objects.filter((_, index) => !last.includes(ids[index] ?? '')),
    next: ids.length < size ? null : placeAfter(ids, start),
  };
}

/** The place after a full page. */
function placeAfter(ids: readonly string[], start: number): NumberedPlace {
  const repeated = Math.min(REPEATED, Math.floor(ids.length / 2));
  return { start: start + ids.length - repeated, last: ids.slice(-repeated) };
}

/** How often a page may be read on average, as objects leave the list: all of it three times if its end is gone. */
const MAX_READS = 10;
/** Pages that are read in any case. */
const MIN_PAGES = 20;

/** Counts the pages of one list. Throws for one in another order each time, which would be read without end. */
export function createPageCounter(entity: string): (place: NumberedPlace, size: number) => void {
  let pages = 0;
  let farthest = 0;
  return ({ start }, size) => {
    pages += 1;
    farthest = Math.max(farthest, Math.ceil(start / size));
    if (pages > MIN_PAGES + MAX_READS * farthest)
      throw unexpectedAnswer(QUICKBOOKS_TITLE, `lists ${entity} in another order each time: it has no end`);
  };
}

/** A list from a place on, page by page. */
async function* numberedPages(
  client: PlatformClient,
  { entity }: QuickBooksKind,
  options: NumberedList,
  from: NumberedPlace,
): AsyncGenerator<NumberedPage> {
  const count = createPageCounter(entity);
  for (let place: NumberedPlace | null = from; place !== null;) {
    count(place, options.size);
    const page: NumberedPage = await numberedPage(client, entity, options, place);
    yield page;
    place = page.next;
  }
}

const PAGE_SIZE = 1000;

/** The Ids of all living objects of a kind, page by page. */
export async function* idPages(
  kind: QuickBooksKind,
  client: PlatformClient,
  cursor: string | null,
): AsyncGenerator<{ readonly ids: readonly string[]; readonly cursor: string | null }> {
  const options = { conditions: existing(kind), size: PAGE_SIZE, fields: 'Id' };
  for await (const { objects, next } of numberedPages(
    client,
    kind,
    options,
    placeIn(cursor ?? '') ?? beginning,
  ))
    yield { ids: objects.map(idOf), cursor: next && placeText(next) };
}

/** All objects of a short list. */
export async function allOf(kind: QuickBooksKind, client: PlatformClient): Promise<PlatformObject[]> {
  const options = { conditions: existing(kind), size: kind.pageSize };
  const all = new Map<string, PlatformObject>();
  for await (const { objects } of numberedPages(client, kind, options, beginning))
    for (const object of objects) all.set(idOf(object), object);
  return [...all.values()];
}
