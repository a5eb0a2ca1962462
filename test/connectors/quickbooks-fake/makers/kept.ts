import { type Kept } from '../domain.js';

const FIRST_DAY = Date.UTC(2025, 0, 1);
const DAY_MS = 86_400_000;
const DAYS = 300;

/** A calendar day of 2025, which the company began with. */
export function dayOf(index: number): string {
  return new Date(FIRST_DAY + (index % DAYS) * DAY_MS).toISOString().slice(0, 10);
}

/** Something that was last changed in 2025, in a whole second. */
export function kept(id: string, index: number): Kept {
  const createdAt = new Date(FIRST_DAY + (index % DAYS) * DAY_MS + 28_800_000);
  return { id, version: index % 3, createdAt, updatedAt: new Date(createdAt.getTime() + index * 61_000) };
}

/** All that came of one import. */
export function imported(id: string): Kept {
  const at = new Date(FIRST_DAY + 200 * DAY_MS + 43_200_000);
  return { id, version: 0, createdAt: at, updatedAt: at };
}

export const indexes = (count: number): readonly number[] =>
  Array.from({ length: count }, (_, index) => index);

/** One of a list that has some, taken in turn. */
export function nth<Item>(list: readonly Item[], index: number): Item {
  const item = list[index % list.length];
  if (item === undefined) throw new Error('there is nothing to take');
  return item;
}
