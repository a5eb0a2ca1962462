import { verdictByStatus } from '../answers.js';
import { parsePlatformJson } from '../values/platform-json.js';
import { excerptOf, noAnswer, refusal, type Target } from './platform-errors.js';
import { readBody } from './body.js';
import { AppError } from '../../errors.js';
import { type Dispatcher, request as send } from 'undici';

const TIMEOUT_MS = 15_000;
const MAX_BYTES = 1024 * 1024;

interface PlainRequest {
  readonly title: string;
  readonly url: string;
  /** The dispatcher of the `Reach`. */
  readonly dispatcher: Dispatcher;
  readonly headers: Readonly<Record<string, string>>;
  /** Gives up before the usual time is over. */
  readonly signal?: AbortSignal;
}

/** One GET outside any connection's budget, for example to find out which account a new token opens. */
export async function platformGet(request: PlainRequest): Promise<unknown> {
  const { target, status, contentType, text } = await ask('GET', request);
  if (status !== 200) {
    const verdict = verdictByStatus({ status, headers: {} });
    throw refusal(target, { status, text, verdict });
  }
  try {
    return parsePlatformJson(text).value;
  } catch (cause) {
    const message = `${target.title} at ${target.address} must answer with JSON (${contentType}: ${excerptOf(text)})`;
    throw new AppError('platform-answer', message, [], { cause });
  }
}

/** One DELETE outside any connection's budget; returns whether the resource is gone. */
export async function platformDelete(request: PlainRequest): Promise<boolean> {
  const { status } = await ask('DELETE', request);
  return (status >= 200 && status < 300) || status === 404;
}

async function ask(
  method: 'GET' | 'DELETE',
  { title, url: address, dispatcher, headers, signal: given }: PlainRequest,
) {
  const url = new URL(address);
  const target: Target = { title, address: url.origin + url.pathname };
  const signal = AbortSignal.any([AbortSignal.timeout(TIMEOUT_MS), ...(given ? [given] : [])]);
  let response;
  try {
    response = await send(url, { method, headers: { ...headers }, signal, dispatcher });
  } catch (error) {
    throw noAnswer(target, error, TIMEOUT_MS);
  }
  const status = response.statusCode;
  const contentType = String(response.headers['content-type'] ?? 'no content type');
  const { text } = await readBody({
    body: response.body,
    status,
    contentType,
    encoding: undefined,
    target,
    timeoutMs: TIMEOUT_MS,
    maxBytes: MAX_BYTES,
  });
  return { target, status, contentType, text };
}
