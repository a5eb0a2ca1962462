import type { Config } from '../config.js';
import type { Logger } from '../log.js';
import type { PoolReports } from './pool.js';

/** Nobody reads more of a statement than this in a log. */
const MAX_TEXT = 2000;

/** Tells the log of connections that are lost, in the words of `lost`, and of slow statements. */
export function reportTo(
  log: Logger,
  { slowStatementMilliseconds: slow }: Pick<Config, 'slowStatementMilliseconds'>,
  lost = 'a database connection was lost',
): PoolReports {
  const onError = (error: Error) => log.warn({ err: error }, lost);
  if (slow === 0) return { onError };
  return {
    onError,
    onStatement: ({ text, milliseconds, organisationId }) => {
      if (milliseconds < slow) return;
      // Values are no part of it.
      const statement = text.replace(/\s+/g, ' ').trim().slice(0, MAX_TEXT);
      log.warn({ organisationId, ms: Math.round(milliseconds), statement }, 'slow statement');
    },
  };
}
