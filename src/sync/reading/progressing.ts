import { AppError } from '../../errors.js';

/** Lists that shrink are read again from an earlier page, and may then repeat a cursor. */
const MAX_VISITS = 3;

/**
 * Pages as they arrive, while they make progress: pages that lead back to one already read would loop forever. `from`
 * is where the reading began.
 */
export async function* progressing<Page extends { readonly cursor: string | null }>(
  pages: AsyncIterable<Page>,
  { title, from }: { readonly title: string; readonly from: string | null },
): AsyncGenerator<Page, void, undefined> {
  const visits = new Map([[from, 1]]);
  for await (const page of pages) {
    const { cursor } = page;
    const count = (visits.get(cursor) ?? 0) + 1;
    if (cursor !== null && count > MAX_VISITS) {
      throw new AppError('platform-answer', `the pages of ${title} lead back to one that was already read`);
    }
    visits.set(cursor, count);
    yield page;
  }
}
