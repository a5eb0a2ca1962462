import type { Config } from '../config.js';
import type { Logger } from '../log.js';
import { meters } from '../meters.js';
import type { PoolReports } from './pool.js';

/** Nobody reads more of a statement than this in a log. */
const MAX_TEXT_LENGTH = 2000;

/** What is tried again each second fails each second for one reason: that is told so often. */
const AGAIN_MS = 60_000;
const MOST_REASONS = 100;

/** Tells the log of errors: of each reason at first, and then once a minute with how many there were. */
export function tellOf(
  log: Pick<Logger, 'warn'>,
  message: string,
  now: () => number = () => performance.now(),
): (error: Error) => void {
  const told = new Map<string, { at: number; untold: number }>();
  return (error) => {
    const known = told.get(error.message);
    if (known && now() - known.at < AGAIN_MS) {
      known.untold += 1;
      return;
    }
    if (told.size >= MOST_REASONS) told.clear();
    told.set(error.message, { at: now(), untold: 0 });
    log.warn({ err: error, ...(known?.untold && { untold: known.untold }) }, message);
  };
}

/** Meters statements, and tells the log of slow ones and, in the words of `lost`, of connections that are lost. */
export function reportTo(
  log: Logger,
  { slowStatementMilliseconds: slow }: Pick<Config, 'slowStatementMilliseconds'>,
  lost = 'a database connection was lost',
): PoolReports {
  return {
    onError: tellOf(log, lost),
    onStatement: ({ text, milliseconds, organisationId }) => {
      meters.statements.observe(milliseconds / 1000);
      if (slow === 0 || milliseconds < slow) return;
      // Values are no part of it.
      const statement = text.replace(/\s+/g, ' ').trim().slice(0, MAX_TEXT_LENGTH);
      log.warn({ organisationId, ms: Math.round(milliseconds), statement }, 'slow statement');
    },
  };
}
