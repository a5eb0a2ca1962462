import { pino, type DestinationStream, type Logger, stdSerializers } from 'pino';
import type { LogLevel } from '../config/observability.js';
import { prettyLine } from './pretty-log.js';

/** Fields that hold keys, tokens, passwords, or headers with them. */
const SECRET =
  /^(.*headers|api[_-]?key|authorization|cookies?|set-cookie|.*(secret|token|password)s?|secret_?keys?)$/i;
/** Deeper values in logs of libraries are internals: streams, sockets, whole requests. */
const MAX_DEPTH = 5;
/** Bytes of lines that could not be written yet. */
const MAX_WAITING = 1 << 20;
/** Between attempts to write what waits. */
const AGAIN_MS = 100;
/** The same at the exit, which waits for a slow reader this long. */
const EXIT_AGAIN_MS = 10;
const EXIT_MS = 1000;

/**
 * Logs to stderr, as stdout is for people: JSON lines, or readable lines in a terminal. Fields that may hold a secret
 * are redacted at any depth.
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
  process.stderr.isTTY ? { write: (line) => void process.stderr.write(prettyLine(line)) } : toStream();

/** The service continues while the log cannot be written (a full disk, a pipe without a reader); the buffer is limited. */
function toStream(): DestinationStream {
  const destination = pino.destination({
    dest: 2,
    sync: true,
    // Writes each line immediately; without this, `flush` does nothing.
    minLength: 1,
    maxLength: MAX_WAITING,
    // By default, the call blocks on a full pipe.
    retryEAGAIN: () => false,
  });
  let again: NodeJS.Timeout | null = null;
  let isFull = false;
  const flush = () => {
    isFull = false;
    destination.flush();
  };
  // Its own `flushSync` never returns where the reader is gone.
  atExit(() => {
    const until = performance.now() + EXIT_MS;
    for (; isFull && performance.now() < until; flush()) pause(EXIT_AGAIN_MS);
  });
  return destination.on('error', (error: NodeJS.ErrnoException) => {
    isFull = error.code === 'EAGAIN';
    again ??= setTimeout(() => {
      again = null;
      flush();
    }, AGAIN_MS).unref();
  });
}

const leaving = new Set<() => void>();

/** One listener for all, as a process may not have many. */
function atExit(work: () => void): void {
  if (leaving.size === 0) process.once('exit', () => leaving.forEach((one) => one()));
  leaving.add(work);
}

/** Blocks the process. */
const pause = (milliseconds: number) =>
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);

const clean = (fields: Record<string, unknown>) => withoutSecrets(fields, 0) as Record<string, unknown>;

function withoutSecrets(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  // Its own serializer is called later.
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

/** A serialized error is one, too. */
function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype || 'stack' in value;
}

export type { Logger };
