import { pino, type Logger } from 'pino';
import type { LogLevel } from './config.js';

/** Structured log on stderr, so that stdout is for people. Headers are never logged: they hold keys. */
export function createLog(level: LogLevel): Logger {
  return pino(
    { level, redact: { paths: ['req.headers', 'headers', 'api_key', '*.api_key'], remove: true } },
    pino.destination({ dest: 2, sync: true }),
  );
}

export type { Logger };
