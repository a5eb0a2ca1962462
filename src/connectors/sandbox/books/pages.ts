import { type PlatformClient, type PlatformObject } from '../../platform.js';
import {
  type Deletions,
  type IdPage,
  type PulledPage,
  type PullOptions,
  type PullResource,
} from '../../pull.js';
import { absentOn404 } from '../../client/platform-errors.js';
import { objectOf } from '../../values/platform-values.js';
import { idsOf, listOf, unexpectedAnswer } from '../../values/required-values.js';
import { BOOKS_TITLE } from './client.js';

const PAGE_SIZE = 200;
const ID_PAGE_SIZE = 1000;

/** The objects of a kind in pages, counted from 1. The cursor is the next page number. */
export async function* kindPages(
  kind: string,
  client: PlatformClient,
  { since, cursor }: PullOptions,
): AsyncGenerator<PulledPage> {
  const query = {
    pageSize: String(PAGE_SIZE),
    ...(since === null ? {} : { modifiedSince: since.toISOString() }),
  };
  for await (const { answer, next } of numberedPages(`/${kind}`, client, { query, cursor })) {
    yield { objects: listOf(BOOKS_TITLE, answer, kind), cursor: next };
  }
}

/** The ids of all existing objects of a kind: permanent deletions leave no other trace. */
export function sweepOf(kind: string): readonly Deletions[] {
  return [{ kind: 'sweep', pages: (client, options) => idPages(kind, client, options) }];
}

async function* idPages(
  kind: string,
  client: PlatformClient,
  { cursor }: PullOptions,
): AsyncGenerator<IdPage> {
  const query = { pageSize: String(ID_PAGE_SIZE) };
  for await (const { answer, next } of numberedPages(`/${kind}/ids`, client, { query, cursor })) {
    yield { platformIds: idsOf(BOOKS_TITLE, answer, 'Ids'), cursor: next };
  }
}

interface Numbered {
  readonly query: Readonly<Record<string, string>>;
  readonly cursor: string | null;
}

/** Deleted objects keep their places: a page may be short or empty, and only the page count tells which is the last. */
async function* numberedPages(
  path: string,
  client: PlatformClient,
  { query, cursor }: Numbered,
): AsyncGenerator<{ readonly answer: PlatformObject; readonly next: string | null }> {
  for (let page = firstPage(cursor); ; page += 1) {
    const answer = await client.get(path, { query: { ...query, page: String(page) } });
    const paging = objectOf(answer['Paging']);
    const pageCount = paging?.['PageCount'];
    if (paging?.['Page'] !== page || typeof pageCount !== 'number') {
      throw unexpectedAnswer(BOOKS_TITLE, `must answer with page ${page} of ${path} and its page count`);
    }
    const last = page >= pageCount;
    yield { answer, next: last ? null : String(page + 1) };
    if (last) return;
  }
}

function firstPage(cursor: string | null): number {
  return cursor !== null && /^[1-9]\d{0,8}$/.test(cursor) ? Number(cursor) : 1;
}

/** One object of a kind by its Guid; null if there is none. */
export const readKind =
  (kind: string) =>
  async (client: PlatformClient, platformId: string): Promise<PlatformObject | null> => {
    const answer = await client.get(`/${kind}/${encodeURIComponent(platformId)}`).catch(absentOn404);
    return answer && (listOf(BOOKS_TITLE, answer, kind)[0] ?? null);
  };

/** Reads a kind in pages, and single objects of it. */
export const readsOf = (kind: string): Pick<PullResource, 'pages' | 'read'> => ({
  pages: (client, options) => kindPages(kind, client, options),
  read: readKind(kind),
});
