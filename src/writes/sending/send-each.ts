import type { ItemRow } from '../item-state.js';
import type { Outcome } from './outcome.js';

/** Results of sending some items; null for those that were not started, or failed here. */
export interface SentEach {
  readonly outcomes: readonly (Outcome | null)[];
  /** The failure that stopped the sending; null if there was none. */
  readonly failure: { readonly error: unknown } | null;
}

/**
 * Sends items individually, up to `places` concurrently, started in order. The first is always started; no other is
 * once `isOver` or after a failure here, and requests in flight are then awaited.
 */
export async function sendEach<Item extends ItemRow>(
  items: readonly Item[],
  {
    places,
    isOver,
    send,
  }: {
    readonly places: number;
    readonly isOver: (outcomes: readonly (Outcome | null)[]) => boolean;
    readonly send: (item: Item) => Promise<Outcome>;
  },
): Promise<SentEach> {
  const outcomes: (Outcome | null)[] = items.map(() => null);
  let failure: SentEach['failure'] = null;
  let begun = 0;
  const work = async () => {
    while (failure === null && (begun === 0 || !isOver(outcomes))) {
      const index = begun;
      const item = items[index];
      if (!item) return;
      begun += 1;
      try {
        outcomes[index] = await send(item);
      } catch (error) {
        failure ??= { error };
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(places, items.length) }, work));
  return { outcomes, failure };
}
