import type { Config } from '../config.js';
import type { Logger } from '../log.js';
import { meters } from '../meters.js';
import type { PoolReports } from './pool.js';

/** Nobody reads more of a statement than this in a log. */
const MAX_TEXT_LENGTH = 2000;

/** Meters statements, and tells the log of slow ones and, in the words of `lost`, of connections that are lost. */
export function reportTo(
  log: Logger,
  { slowStatementMilliseconds: slow }: Pick<Config, 'slowStatementMilliseconds'>,
  lost = 'a database connection was lost',
): PoolReports {
  const onError = (error: Error) => log.warn({ err: error }, lost);
  return {
    onError,
    onStatement: ({ text, milliseconds, organisationId }) => {
      meters.statements.observe(milliseconds / 1000);
      if (slow === 0 || milliseconds < slow) return;
      // Values are no part of it.
      const statement = text.replace(/\s+/g, ' ').trim().slice(0, MAX_TEXT_LENGTH);
      log.warn({ organisationId, ms: Math.round(milliseconds), statement }, 'slow statement');
    },
  };
}
