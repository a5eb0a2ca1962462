import { verdictByStatus } from './answers.js';
import { parsePlatformJson } from './platform-json.js';
import { excerptOf, noAnswer, refusal, type Target } from './platform-errors.js';
import { readBody } from './platform-body.js';
import { platformAgent } from './platform-client.js';
import { AppError } from '../errors.js';
import { request as send } from 'undici';

const TIMEOUT_MS = 15_000;
const MAX_BYTES = 1024 * 1024;

/** One GET outside any connection's budget, such as the one that tells which account a new token opens. */
export async function platformGet(request: {
  readonly title: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}): Promise<unknown> {
  const url = new URL(request.url);
  const target: Target = { title: request.title, address: url.origin + url.pathname };
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  let response;
  try {
    response = await send(url, { headers: { ...request.headers }, signal, dispatcher: platformAgent });
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
  if (status !== 200) {
    const verdict = verdictByStatus({ status, headers: {} });
    throw refusal(target, { status, text, verdict });
  }
  try {
    return parsePlatformJson(text).value;
  } catch (cause) {
    const message = `${target.title} at ${target.address} must answer JSON (${contentType}: ${excerptOf(text)})`;
    throw new AppError('platform-answer', message, [], { cause });
  }
}
