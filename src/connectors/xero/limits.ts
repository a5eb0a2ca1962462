import { type RemainingCalls } from '../connector.js';

/** What Xero says with each answer: of the organisation's minute and day, whose size depends on the app's plan, and of the app's minute. */
export function remainingOf(headers: Readonly<Record<string, string>>): RemainingCalls {
  return {
    minute: countIn(headers['x-minlimit-remaining']),
    day: countIn(headers['x-daylimit-remaining']),
    appMinute: countIn(headers['x-appminlimit-remaining']),
  };
}

const countIn = (text: string | undefined): number | null =>
  text !== undefined && /^\d{1,9}$/.test(text) ? Number(text) : null;
