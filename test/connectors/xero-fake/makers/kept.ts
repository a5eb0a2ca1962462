import { createHash } from 'node:crypto';

import { type Kept } from '../domain.js';

/** The same for the same name, whenever it is made. */
export function guidOf(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `a${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
}

const FIRST_DAY = Date.UTC(2025, 0, 1);
const DAY_MS = 86_400_000;

/** A calendar day of 2025, which the organisation began with. */
export function dayOf(index: number): string {
  return new Date(FIRST_DAY + (index % 300) * DAY_MS).toISOString().slice(0, 10);
}

/** Something that was last changed in 2025, at a time that has milliseconds. */
export function kept(id: string, index: number, status = 'ACTIVE'): Kept {
  return { id, status, updatedAt: new Date(FIRST_DAY + (index % 300) * DAY_MS + index * 61_003) };
}

export const indexes = (count: number): readonly number[] =>
  Array.from({ length: count }, (_, index) => index);

/** One of a list that has some, taken in turn. */
export function nth<Item>(list: readonly Item[], index: number): Item {
  const item = list[index % list.length];
  if (item === undefined) throw new Error('there is nothing to take');
  return item;
}
