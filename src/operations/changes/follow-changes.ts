import { setTimeout as sleep } from 'node:timers/promises';
import { type Context, renewed } from '../../context.js';
import { isOverSoon, toAppError } from '../../errors.js';
import { type ListedChange, readChangePosition } from '../../query/changes.js';
import { type ChangeArguments, listChanges } from './changes.js';

/** What a reader of the log says of a page. */
interface LogPage {
  readonly next: string;
  readonly hasMore: boolean;
}

const AGAIN_MS = 1000;

/** Followers that one change wakes read some at a time: requests come between them. */
const READERS = 4;
let reading = 0;
const queue: (() => void)[] = [];

async function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  if (reading >= READERS) await new Promise<void>((begin) => queue.push(begin));
  else reading += 1;
  try {
    return await work();
  } finally {
    const next = queue.shift();
    if (next) next();
    else reading -= 1;
  }
}

/**
 * The pages of the log after a position, from history on and then as it grows, until the context is stopping. `read`
 * reads one in a context of its own; an outage is waited for.
 */
export async function* followLog<Page extends LogPage>(
  context: Context,
  after: string | null,
  read: (context: Context, after: string | null) => Promise<Page>,
): AsyncGenerator<Page> {
  const { wakes, sql, stopping } = context;
  const watch = wakes.watch(sql.scope.organisationId, ['change_heads']);
  try {
    for (let next = after; !stopping.aborted;) {
      const page = await whenAnswering(context, () => read(renewed(context), next));
      if (!page) return;
      next = page.next;
      yield page;
      if (!page.hasMore) await watch.news(stopping);
    }
  } finally {
    watch.end();
  }
}

/** Null where the context stops before there is an answer. */
export async function whenAnswering<Result>(
  { stopping }: Context,
  ask: () => Promise<Result>,
): Promise<Result | null> {
  while (!stopping.aborted) {
    try {
      return await inTurn(ask);
    } catch (error) {
      if (!isOverSoon(toAppError(error).code)) throw error;
      await sleep(AGAIN_MS, null, { signal: stopping }).catch(() => undefined);
    }
  }
  return null;
}

/** Changes after a position or, without one, from now on: a page at a time, as soon as there is one. */
export async function* followChanges(
  context: Context,
  args: Omit<ChangeArguments, 'first'>,
): AsyncGenerator<readonly ListedChange[]> {
  const start = args.after ?? (await readChangePosition(context.sql));
  const pages = followLog(context, start, async (own, after) => {
    const { nodes, pageInfo } = await listChanges(own, { ...args, after });
    return { nodes, next: pageInfo?.endCursor ?? start, hasMore: pageInfo?.hasNextPage ?? false };
  });
  for await (const { nodes } of pages) if (nodes.length > 0) yield nodes;
}
