import { databaseTime } from '../db/clock.js';
import type { PlatformClient, PlatformObject, PlatformReply } from '../connectors/connector.js';
import { PlatformPause, wasNotSent } from '../connectors/platform-errors.js';
import { parsePlatformJson, stringifyPlatformJson } from '../connectors/platform-json.js';
import type { PushResource, PushScheme, WriteOperation, WriteRequest } from '../connectors/push.js';
import { objectOf } from '../connectors/platform-values.js';
import { isOutage } from '../db/database-error.js';
import { AppError, type WriteProblem } from '../errors.js';
import type { FileStore } from '../files/file-store.js';
import { markerOf } from './engine.js';
import { failPoint } from './fail-points.js';
import { fileBody, itemFileOf } from './item-files.js';
import type { ItemRow } from './item-state.js';

/** What came of one attempt. */
export type Outcome =
  | { readonly kind: 'written'; readonly object: PlatformObject }
  | { readonly kind: 'refused'; readonly problem: WriteProblem }
  /** Tried again; `isSent` says whether the platform may have carried it out. */
  | { readonly kind: 'later'; readonly isSent: boolean; readonly problem: WriteProblem }
  /** The platform wants no call before: nothing was sent. */
  | { readonly kind: 'pause'; readonly resumeAt: Date; readonly problem: WriteProblem }
  /** Nobody can say whether the platform has it. */
  | { readonly kind: 'unknowable'; readonly problem: WriteProblem };

export interface Sending {
  readonly platform: PlatformClient;
  readonly scheme: PushScheme;
  readonly resource: PushResource;
  readonly operation: WriteOperation;
  readonly files: FileStore;
  /** For the platform to take one. */
  readonly fileMilliseconds: number;
  /** Throws where the upload is another worker's by now: asked right before a request leaves. */
  makeSure(): Promise<void>;
  /** Of the platform, for messages. */
  readonly title: string;
}

/** An item is tried this often; then it is only looked for. */
export const MOST_ATTEMPTS = 8;

const TIMEOUT_MS = 20_000;
const MOST_BYTES = 10_000_000;
const HOUR = 3_600_000;
/** Before an item is sent again to a platform that did not say how long it wants no call. */
const UNSAID_PAUSE_MS = 1000;

/**
 * Writes an item. One that may have been sent before is settled first: by looking for its marker where the platform
 * can be asked, by its idempotency key where not; never by sending it again blindly. `request` is the same at every
 * attempt.
 */
export async function sendItem(sending: Sending, item: ItemRow, request: string): Promise<Outcome> {
  const wasSent = item.firstSentAt !== null;
  if (wasSent && sending.operation === 'CREATE') {
    const settled = await settle(sending, item);
    if (settled) return settled;
  }
  if (item.attempts >= MOST_ATTEMPTS) return exhausted(sending, wasSent);
  const outcome = await send(sending, item, request);
  // What an earlier attempt has made may itself be in the way of this one.
  if (outcome.kind === 'refused' && wasSent) return (await settle(sending, item)) ?? outcome;
  return outcome;
}

/** What an earlier attempt has made; null when the item may be sent again. */
async function settle(
  { resource, scheme, platform, title }: Sending,
  item: ItemRow,
): Promise<Outcome | null> {
  if (resource.find) {
    try {
      const object = await resource.find(platform, markerOf(item.jobId));
      return object && { kind: 'written', object };
    } catch (error) {
      return outcomeOf(error, true);
    }
  }
  const age = databaseTime().getTime() - Date.parse(item.firstSentAt ?? '');
  if (scheme.idempotencyKey && age < scheme.idempotencyKey.hours * HOUR * 0.9) return null;
  const problem = unknownError(
    `${title} did not answer when the record was sent, and cannot be asked whether it has it: look there before it is sent again`,
  );
  return { kind: 'unknowable', problem };
}

async function send(sending: Sending, item: ItemRow, text: string): Promise<Outcome> {
  const { platform, scheme, title } = sending;
  const { method, path, query = {}, body, contentType } = parsePlatformJson(text).value as WriteRequest;
  const { idempotencyKey } = scheme;
  const key = markerOf(item.jobId);
  const file = itemFileOf(item.file);
  let hasLeft = false;
  let reply;
  try {
    reply = await platform.send({
      method,
      path,
      query: Object.entries(query),
      headers: {
        'content-type': contentType ?? 'application/json',
        ...(idempotencyKey ? { [idempotencyKey.header]: key } : {}),
      },
      body: file && body === null ? fileBody(sending.files, file) : stringifyPlatformJson(body),
      timeoutMs: file ? sending.fileMilliseconds : TIMEOUT_MS,
      maxBytes: MOST_BYTES,
      beforeSend: async () => {
        failPoint('before send');
        await sending.makeSure();
        hasLeft = true;
      },
    });
  } catch (error) {
    if (hasLeft && isOutage(error)) {
      const message = `${title} was asked, and what it said is lost`;
      return { kind: 'later', isSent: true, problem: unknownError(message) };
    }
    return outcomeOf(error, !wasNotSent(error));
  }
  failPoint('after send');
  return outcomeOfReply(sending, reply);
}

function outcomeOfReply({ resource, title }: Sending, { status, verdict, text }: PlatformReply): Outcome {
  const answer = answerOf(text);
  switch (verdict.kind) {
    case 'ok': {
      const object = writtenIn(resource, answer);
      if (object) return { kind: 'written', object };
      const message = `${title} answered ${status} with something else than the record`;
      return { kind: 'later', isSent: true, problem: unknownError(message, text) };
    }
    case 'throttled': {
      const resumeAt = new Date(Date.now() + (verdict.retryAfterMs ?? UNSAID_PAUSE_MS));
      return { kind: 'pause', resumeAt, problem: unknownError(`${title} wants a pause`, text) };
    }
    case 'again':
      return { kind: 'later', isSent: true, problem: unknownError(`${title} answered ${status}`, text) };
    case 'access ended': {
      const message = `Operation Denied: ${title} no longer accepts this connection's access; the company has to connect it again`;
      return { kind: 'refused', problem: { ...unknownError(message, text), code: 'operation-denied' } };
    }
    case 'refused':
      return { kind: 'refused', problem: resource.refusal({ status, body: answer, text }) };
    default:
      return verdict satisfies never;
  }
}

function writtenIn(resource: PushResource, answer: PlatformObject | null): PlatformObject | null {
  try {
    return answer && resource.written(answer);
  } catch {
    return null;
  }
}

function answerOf(text: string): PlatformObject | null {
  try {
    return objectOf(parsePlatformJson(text).value);
  } catch {
    return null;
  }
}

/** What an error without an answer means. Throws what is not the platform's. */
function outcomeOf(error: unknown, isSent: boolean): Outcome {
  if (error instanceof PlatformPause) {
    return { kind: 'pause', resumeAt: error.resumeAt, problem: unknownError(error.message) };
  }
  if (!(error instanceof AppError)) throw error;
  if (error.code === 'connection-expired') throw error;
  if (!error.code.startsWith('platform-')) throw error;
  return { kind: 'later', isSent, problem: unknownError(error.message) };
}

function exhausted({ title, operation, resource }: Sending, wasSent: boolean): Outcome {
  // Of what was created before, the look-up has just said that it is not there.
  const isKnown = !wasSent || (operation === 'CREATE' && resource.find !== undefined);
  const message = isKnown
    ? `${title} did not take the record in ${MOST_ATTEMPTS} attempts; it was not written`
    : `${title} did not answer in ${MOST_ATTEMPTS} attempts; it may have carried the write out or not: look there before it is sent again`;
  return isKnown
    ? { kind: 'refused', problem: unknownError(message) }
    : { kind: 'unknowable', problem: unknownError(message) };
}

const MOST_TEXT = 2000;

export function unknownError(words: string, platformError: string | null = null): WriteProblem {
  return {
    code: 'unknown-error',
    words,
    path: [],
    platformError: platformError === null ? null : platformError.slice(0, MOST_TEXT),
  };
}
