import type { HeldRows } from './held-rows.js';

/** What was read of a long answer. */
export interface HeldPage<Result> {
  /** Not to be kept beyond the release: generators that wait keep what their variables have. */
  readonly result: Result;
  /** Forgets it, and counts it no more. */
  readonly release: () => void;
}

/** The pages of long answers: exports, event streams, subscriptions. What they hold until it has been sent is bounded. */
export interface Pages {
  /** Reads one when there is room for it. Null where `stopping` comes first. */
  readonly read: <Result>(
    stopping: AbortSignal,
    work: (held: HeldRows | null) => Promise<Result>,
  ) => Promise<HeldPage<Result> | null>;
  /** Counts what more is read for a page that is there. */
  readonly open: () => { readonly held: HeldRows | null; readonly release: () => void };
}

export function heldPage<Result>(result: Result, release: () => void): HeldPage<Result> {
  let kept: { readonly result: Result } | null = { result };
  return {
    get result() {
      if (!kept) throw new Error('the page was released');
      return kept.result;
    },
    release: () => {
      kept = null;
      release();
    },
  };
}

const nothing = (): void => undefined;

/** Where nothing is held for an answer. */
export const uncountedPages: Pages = {
  read: async (_stopping, work) => heldPage(await work(null), nothing),
  open: () => ({ held: null, release: nothing }),
};
