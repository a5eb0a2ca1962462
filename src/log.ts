import { pino, type DestinationStream, type Logger, stdSerializers } from 'pino';
import type { LogLevel } from './config.js';
import { prettyLine } from './pretty-log.js';

/** Fields that hold keys, tokens, passwords, or headers with them. */
const SECRET =
  /^(.*headers|api[_-]?key|authorization|cookies?|set-cookie|.*(secret|token|password)s?|secret_?keys?)$/i;
/** What libraries log beyond is their own affairs: streams, sockets, whole requests. */
const MAX_DEPTH = 5;

/**
 * The log on stderr, so that stdout is for people: JSON lines, in a terminal lines for reading. No field that may hold a
 * secret gets into it at any level.
 */
export function createLog(level: LogLevel, destination: DestinationStream = toStderr()): Logger {
  return pino(
    {
      level,
      formatters: { log: clean },
      serializers: { err: (error: Error) => withoutSecrets(stdSerializers.err(error), 0) },
    },
    destination,
  );
}

const toStderr = (): DestinationStream =>
  process.stderr.isTTY
    ? { write: (line) => void process.stderr.write(prettyLine(line)) }
    : pino.destination({ dest: 2, sync: true });

const clean = (fields: Record<string, unknown>) => withoutSecrets(fields, 0) as Record<string, unknown>;

function withoutSecrets(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  // Its own serializer is called for it later.
  if (value instanceof Error) return depth === 0 ? value : withoutSecrets(stdSerializers.err(value), depth);
  if (depth > MAX_DEPTH) return '[deeper]';
  if (Array.isArray(value)) return value.slice(0, 100).map((one) => withoutSecrets(one, depth + 1));
  if (depth > 0 && !isPlain(value)) return `[${value.constructor?.name ?? 'object'}]`;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => !SECRET.test(name))
      .map(([name, inner]) => [name, name === 'err' ? inner : withoutSecrets(inner, depth + 1)]),
  );
}

/** An error as its serializer has it is one too. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype || 'stack' in value;
}

export type { Logger };
