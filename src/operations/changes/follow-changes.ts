import type { Context } from '../../context.js';
import type { HeldPage } from '../../db/rows/held-pages.js';
import { type ListedChange, readChangePosition } from '../../query/changes/changes.js';
import { readPage } from '../live/read-page.js';
import { type ChangeArguments, listChanges } from './changes.js';

/** A page of the log. */
interface LogPage {
  readonly next: string;
  readonly hasMore: boolean;
}

/**
 * Pages of the log after a position, first from history and then as it grows, until the context is stopping. `read`
 * reads one in a fresh context; waits out outages. Each page is released when the next one is requested.
 */
export async function* followLog<Page extends LogPage>(
  context: Context,
  after: string | null,
  read: (context: Context, after: string | null) => Promise<Page>,
): AsyncGenerator<HeldPage<Page>> {
  const { wakes, sql, stopping } = context;
  const watch = wakes.watch(sql.scope.organisationId, ['change_heads']);
  try {
    for (let next = after; !stopping.aborted;) {
      const page = await readPage(context, (own) => read(own, next));
      if (!page) return;
      const { hasMore } = page.result;
      next = page.result.next;
      try {
        yield page;
      } finally {
        page.release();
      }
      if (!hasMore) await watch.news(stopping);
    }
  } finally {
    watch.end();
  }
}

/**
 * Changes after a position or, without one, from now on, in pages as they become available. Resolves when it is known
 * where they start: a caller that is told so then misses nothing that is stored later.
 */
export async function followChanges(
  context: Context,
  args: Omit<ChangeArguments, 'first'>,
): Promise<AsyncGenerator<readonly ListedChange[]>> {
  return changesAfter(args.after ?? (await currentPosition(context)), context, args);
}

async function* changesAfter(
  start: string,
  context: Context,
  args: Omit<ChangeArguments, 'first'>,
): AsyncGenerator<readonly ListedChange[]> {
  const pages = followLog(context, start, async (own, after) => {
    const { nodes, pageInfo } = await listChanges(own, { ...args, after });
    return { nodes, next: pageInfo?.endCursor ?? start, hasMore: pageInfo?.hasNextPage ?? false };
  });
  for await (const page of pages) if (page.result.nodes.length > 0) yield page.result.nodes;
}

/** The end of the log; waits out outages. The beginning if the context stops first: nothing is read then. */
async function currentPosition(context: Context): Promise<string> {
  const page = await readPage(context, ({ sql }) => readChangePosition(sql));
  if (!page) return '0';
  const position = page.result;
  page.release();
  return position;
}
