import { type RemainingCalls } from '../platform-access.js';

/**
 * The remaining calls in each response: of the organisation's minute and day, whose limits depend on the app's plan,
 * and of the app's minute.
 */
export function remainingOf(headers: Readonly<Record<string, string>>): RemainingCalls {
  return {
    minute: countIn(headers['x-minlimit-remaining']),
    day: countIn(headers['x-daylimit-remaining']),
    appMinute: countIn(headers['x-appminlimit-remaining']),
  };
}

const countIn = (text: string | undefined): number | null =>
  text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : null;
