import { setTimeout as sleep } from 'node:timers/promises';
import { type Context, renewContext } from '../../context.js';
import { isOverSoon, toAppError } from '../../errors.js';
import type { HeldPage } from '../../db/rows/held-pages.js';

const AGAIN_MS = 1000;

/**
 * Reads a page of a long response in a fresh context when there is room for it; waits out outages. Null if the context
 * stops first.
 */
export async function readPage<Result>(
  context: Context,
  read: (context: Context) => Promise<Result>,
): Promise<HeldPage<Result> | null> {
  const { pages, stopping } = context;
  while (!stopping.aborted) {
    try {
      return await pages.read(stopping, (held) => read(renewContext(context, held)));
    } catch (error) {
      if (!isOverSoon(toAppError(error))) throw error;
      await waitToRepeat(stopping);
    }
  }
  return null;
}

/** The wait before a read that met an outage is repeated; ends when aborted. */
export const waitToRepeat = (stopping: AbortSignal): Promise<unknown> =>
  sleep(AGAIN_MS, null, { signal: stopping }).catch(() => undefined);
