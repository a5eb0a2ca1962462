import { createLog, type Logger } from '../../src/telemetry/log.js';

export interface LogLine {
  readonly level: number;
  readonly msg: string;
  readonly [field: string]: unknown;
}

/** A log that collects its lines. */
export function collectLog(level: Parameters<typeof createLog>[0] = 'info'): {
  readonly log: Logger;
  readonly lines: LogLine[];
  /** The lines with a message. */
  readonly saying: (message: string) => LogLine[];
} {
  const lines: LogLine[] = [];
  const log = createLog(level, { write: (line) => void lines.push(JSON.parse(line)) });
  return { log, lines, saying: (message) => lines.filter(({ msg }) => msg === message) };
}
