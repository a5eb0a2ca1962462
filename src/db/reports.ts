import type { Config } from '../config/config.js';
import type { Logger } from '../telemetry/log.js';
import { meters } from '../telemetry/meters.js';
import type { PoolReports } from './pool/pool.js';

/** Longer statements are cut in the log. */
const MAX_TEXT_LENGTH = 2000;

/** A failure that repeats every second is logged once in this time. */
const AGAIN_MS = 60_000;
const MAX_REASONS = 100;

/** Logs errors: each message at first, and then once a minute with the number of repetitions. */
export function tellOf(log: Pick<Logger, 'warn'>, message: string): (error: Error) => void {
  const logged = new Map<string, { at: number; repeats: number }>();
  return (error) => {
    const known = logged.get(error.message);
    if (known && performance.now() - known.at < AGAIN_MS) {
      known.repeats += 1;
      return;
    }
    if (logged.size >= MAX_REASONS) logged.clear();
    logged.set(error.message, { at: performance.now(), repeats: 0 });
    log.warn({ err: error, ...(known?.repeats && { untold: known.repeats }) }, message);
  };
}

/** Meters statements, and logs slow ones and lost connections, the latter with the message `lost`. */
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
      // It does not contain values.
      const statement = text.replace(/\s+/g, ' ').trim().slice(0, MAX_TEXT_LENGTH);
      log.warn({ organisationId, ms: Math.round(milliseconds), statement }, 'slow statement');
    },
  };
}
