import type { HeldRows } from './held-rows.js';

/** A page read for a long response. */
export interface HeldPage<Result> {
  /** Do not retain it after the release: suspended generators retain their variables. */
  readonly result: Result;
  /** Drops the page and its count. */
  readonly release: () => void;
}

/** Reads pages of long responses: exports, event streams, subscriptions. Bounds the memory held until they are sent. */
export interface Pages {
  /** Reads a page when there is room for it. Null if `stopping` is aborted first. */
  readonly read: <Result>(
    stopping: AbortSignal,
    work: (held: HeldRows | null) => Promise<Result>,
  ) => Promise<HeldPage<Result> | null>;
  /** Counts further rows read for a page already held. */
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

/** For responses whose rows are not counted. */
export const uncountedPages: Pages = {
  read: async (_stopping, work) => heldPage(await work(null), nothing),
  open: () => ({ held: null, release: nothing }),
};
