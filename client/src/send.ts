import { ApiError, GraphqlError, type GraphqlProblem } from './errors.js';

export interface ClientOptions {
  /** Address of the service, such as `https://data.example.com`. */
  readonly url: string;
  readonly apiKey: string;
  /** How often a request is sent again at most; 4 by default. */
  readonly maxRetries?: number;
  /** Milliseconds that one attempt may take, and that a stream may be silent; 60,000 by default. */
  readonly timeout?: number;
  /** In place of the global one. */
  readonly fetch?: typeof fetch;
  /** Waits between attempts; for tests and schedulers. */
  readonly wait?: (milliseconds: number, signal?: AbortSignal) => Promise<void>;
}

export interface Sent {
  readonly method: string;
  /** With its query string. */
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** Whether the service does the same once, however often it is sent. */
  readonly isRepeatable: boolean;
  /** Whether the answer goes on without an end: its beginning is waited for, then each part of it. */
  readonly isStream?: boolean;
}

export type Send = (request: Sent) => Promise<Response>;

export const DEFAULT_TIMEOUT = 60_000;
const FIRST_WAIT = 500;
const MAX_WAIT = 60_000;
/** Refused before anything was done. */
const NOT_BEGUN = [429, 503];
/** May have been done. */
const UNCLEAR = [408, 409, 502, 504];

/** Sends requests with the key; again where that is safe and may help, when `Retry-After` says or after a growing while. */
export function createSend(options: ClientOptions): Send {
  const { apiKey, maxRetries = 4, timeout = DEFAULT_TIMEOUT, wait = sleep } = options;
  const base = options.url.replace(/\/+$/, '');
  const request = options.fetch ?? globalThis.fetch.bind(globalThis);

  const attempt = ({ method, path, body, headers, signal, isStream = false }: Sent): Promise<Response> => {
    const send = (late: AbortSignal) =>
      request(base + path, {
        method,
        headers: {
          // Some proxies drop `api_key`, as nginx does.
          authorization: `Bearer ${apiKey}`,
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: anySignal(signal, late),
      });
    return isStream ? withinTime(timeout, send) : send(AbortSignal.timeout(timeout));
  };

  return async (sent) => {
    for (let retries = 0; ; retries += 1) {
      const isLast = retries >= maxRetries;
      let pause: number | null;
      try {
        const answer = await attempt(sent);
        if (answer.ok) return answer;
        pause = isLast ? null : pauseAfter(answer, sent.isRepeatable, retries);
        if (pause === null) throw await errorOf(answer);
        await answer.body?.cancel();
      } catch (error) {
        // No answer came: whether the request did is unknown.
        if (
          error instanceof ApiError ||
          error instanceof GraphqlError ||
          sent.signal?.aborted ||
          isLast ||
          !sent.isRepeatable
        )
          throw error;
        pause = backoff(retries);
      }
      await wait(pause, sent.signal);
    }
  };
}

/** Null where the same request will not do better, or might be done twice. */
function pauseAfter(answer: Response, isRepeatable: boolean, retries: number): number | null {
  const seconds = retryAfterOf(answer);
  const mayHelp =
    NOT_BEGUN.includes(answer.status) ||
    (isRepeatable && UNCLEAR.includes(answer.status) && (answer.status !== 409 || seconds !== null));
  if (!mayHelp) return null;
  if (seconds === null) return backoff(retries);
  return seconds * 1000 <= MAX_WAIT ? seconds * 1000 : null;
}

/** `Retry-After`: seconds, or a date. */
function retryAfterOf({ headers }: Response): number | null {
  const text = headers.get('retry-after');
  if (text === null) return null;
  if (/^\d+$/.test(text)) return Number(text);
  const until = Date.parse(text);
  return Number.isNaN(until) ? null : Math.max(0, Math.ceil((until - Date.now()) / 1000));
}

/** Twice as long each time, not all clients at the same moment. */
const backoff = (retries: number): number =>
  Math.min(MAX_WAIT, FIRST_WAIT * 2 ** retries) * (0.5 + Math.random() / 2);

async function errorOf(answer: Response): Promise<ApiError | GraphqlError> {
  const text = await answer.text();
  const { error, errors, request_id: requestId = '' } = parse(text);
  if (errors?.length) return new GraphqlError(errors);
  const problem = error ?? {};
  const message = problem.message ?? `the service answered ${answer.status}`;
  return new ApiError(answer.status, problem.code ?? 'unknown', message, {
    field: problem.field ?? '',
    requestId: requestId || (answer.headers.get('x-request-id') ?? ''),
    platformError: problem.platform_error ?? null,
    retryAfter: retryAfterOf(answer),
  });
}

interface Problem {
  readonly code?: string;
  readonly message?: string;
  readonly field?: string;
  readonly platform_error?: string | null;
}
interface ErrorBody {
  readonly error?: Problem;
  readonly errors?: readonly GraphqlProblem[];
  readonly request_id?: string;
}

/** What stands between may answer anything. */
function parse(text: string): ErrorBody {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null ? body : {};
  } catch {
    return {};
  }
}

/** Aborts what has no result in time, and nothing afterwards. */
export async function withinTime<Result>(
  milliseconds: number,
  work: (late: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const late = new AbortController();
  const timer = setTimeout(
    () => late.abort(new DOMException(`no answer in ${milliseconds} ms`, 'TimeoutError')),
    milliseconds,
  );
  const over = new Promise<never>((_resolve, reject) => {
    late.signal.addEventListener('abort', () => reject(late.signal.reason as Error), { once: true });
  });
  try {
    return await Promise.race([work(late.signal), over]);
  } finally {
    clearTimeout(timer);
  }
}

function anySignal(given: AbortSignal | undefined, timeout: AbortSignal): AbortSignal {
  if (!given) return timeout;
  const either = new AbortController();
  for (const one of [given, timeout]) {
    if (one.aborted) either.abort(one.reason);
    else one.addEventListener('abort', () => either.abort(one.reason), { once: true, signal: either.signal });
  }
  return either.signal;
}

export function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, milliseconds);
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}
