import { type RemainingCalls } from '../connector.js';

/** What Xero says with each answer of the organisation's minute and day, whose size depends on the app's plan. */
export function remainingOf(headers: Readonly<Record<string, string>>): RemainingCalls {
  return {
    minute: least(countIn(headers['x-minlimit-remaining']), countIn(headers['x-appminlimit-remaining'])),
    day: countIn(headers['x-daylimit-remaining']),
  };
}

/** The minute of the app is that of all its organisations: what is left of it is left of each. */
const least = (one: number | null, other: number | null): number | null =>
  one === null || other === null ? (one ?? other) : Math.min(one, other);

const countIn = (text: string | undefined): number | null =>
  text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : null;
