import { objectFrom } from '../../connectors/values/platform-values.js';
import type { PlatformClient, PlatformObject, PlatformReply } from '../../connectors/platform.js';
import { PlatformPause, wasNotSent } from '../../connectors/client/platform-errors.js';
import type {
  PushResource,
  PushScheme,
  WriteForm,
  WriteOperation,
  WriteRequest,
} from '../../connectors/push.js';
import { databaseTime } from '../../db/clock.js';
import { isOutage } from '../../db/database-error.js';
import { AppError, type WriteProblem } from '../../errors.js';
import type { FileStore } from '../../files/file-store.js';
import { encodeBody } from './encode-body.js';
import type { WritePatience } from '../engine.js';
import { failPoint } from '../fail-points.js';
import { fileBody, itemFileOf } from '../item-files.js';
import type { ItemRow } from '../item-state.js';
import { type Outcome, unknownError } from './outcome.js';

/** What sending the items of an upload needs. */
export interface SendContext {
  readonly platform: PlatformClient;
  readonly scheme: PushScheme;
  readonly resource: PushResource;
  readonly form: Pick<WriteForm, 'follow' | 'readsCurrent'>;
  readonly operation: WriteOperation;
  readonly files: FileStore;
  readonly patience: WritePatience;
  /** Throws if another worker has taken over the upload: checked right before a request is sent. */
  makeSure(): Promise<void>;
  /** Stores the object that the platform has, before the following requests are sent. */
  noteWritten(item: ItemRow, object: PlatformObject): Promise<void>;
  /** Why the company does not permit these writes any more; null if it does. */
  withheld(items: readonly ItemRow[]): Promise<WriteProblem | null>;
  /** Stores that an item is about to be resent, and for how long it may then be carried out. */
  noteResent(item: ItemRow, lateInMs: number): Promise<void>;
  /** Of the platform, for messages. */
  readonly title: string;
}

const TIMEOUT_MS = 20_000;
const MAX_BYTES = 10_000_000;
const GATEWAY_TIMEOUT = 504;
/** No access, or not now: the platform may be processing an earlier request with the same key. */
const OF_THIS_REQUEST: ReadonlySet<number> = new Set([401, 403, 409]);
/** Pause before a retry at a platform that gave no `Retry-After`. */
const UNSAID_PAUSE_MS = 1000;

/** How long a request that is sent now may still be carried out. */
export const lateInMs = ({ patience }: Pick<SendContext, 'patience'>, item: Pick<ItemRow, 'file'>): number =>
  answerMs(patience, item) + patience.lateMilliseconds;

/** How long to wait for an answer. */
const answerMs = ({ fileMilliseconds }: WritePatience, { file }: Pick<ItemRow, 'file'>): number =>
  file === null ? TIMEOUT_MS : fileMilliseconds;

/** Until when a request lost now may still be carried out. */
const lateFromNow = ({ lateMilliseconds }: WritePatience): string =>
  new Date(databaseTime().getTime() + lateMilliseconds).toISOString();

interface ItemRequest {
  readonly item: Pick<ItemRow, 'file' | 'lateUntil'>;
  readonly request: WriteRequest;
  readonly key: string;
}

/** The platform's answer to a request, or the meaning of a missing answer. */
export async function ask(
  sending: SendContext,
  { item, request, key }: ItemRequest,
): Promise<PlatformReply | Outcome> {
  const { platform, scheme, title, patience } = sending;
  const { method, path } = request;
  const { query, headers, body } = addKey(request, scheme, key);
  const file = itemFileOf(item.file);
  const encoded = encodeBody({ ...request, body }, key, file && fileBody(sending.files, file));
  const hasFile = typeof encoded.body === 'object' && encoded.body !== null;
  let hasLeft = false;
  try {
    return await platform.send({
      method,
      path,
      query: Object.entries(query),
      headers: {
        ...(encoded.contentType === null ? {} : { 'content-type': encoded.contentType }),
        ...headers,
      },
      body: encoded.body,
      timeoutMs: hasFile ? patience.fileMilliseconds : TIMEOUT_MS,
      maxBytes: MAX_BYTES,
      beforeSend: async () => {
        failPoint('before send');
        await sending.makeSure();
        hasLeft = true;
      },
    });
  } catch (error) {
    if (hasLeft && isOutage(error)) {
      const message = `${title} was called, and its answer was lost`;
      return {
        kind: 'later',
        isSent: true,
        lateUntil: lateFromNow(patience),
        problem: unknownError(message),
      };
    }
    const isSent = !wasNotSent(error);
    return outcomeOfError(error, { isSent, lateUntil: isSent ? lateFromNow(patience) : item.lateUntil });
  }
}

type KeyedRequest = Required<Pick<WriteRequest, 'query' | 'headers' | 'body'>>;

/**
 * The request with its key, where the platform wants that. A request's own key wins, except in a body, which callers
 * add to: one that is built anew after a conflict needs another key at a platform that repeats its refusals, too.
 */
function addKey(
  { query = {}, headers = {}, body }: WriteRequest,
  { idempotencyKey }: PushScheme,
  key: string,
): KeyedRequest {
  if (!idempotencyKey) return { query, headers, body };
  switch (idempotencyKey.in) {
    case 'header':
      return { query, headers: { [idempotencyKey.name]: key, ...headers }, body };
    case 'query':
      return { query: { [idempotencyKey.name]: key, ...query }, headers, body };
    case 'body':
      return { query, headers, body: { ...body, [idempotencyKey.name]: key } };
    default:
      return idempotencyKey.in satisfies never;
  }
}

/** The meaning of an unsuccessful answer; null for a success. */
export function outcomeOfVerdict(
  { resource, title, patience }: SendContext,
  reply: PlatformReply,
): Outcome | null {
  const { status, verdict, text } = reply;
  const isOfThis = isOfThisRequest(reply) && { isOfThisRequest: true };
  switch (verdict.kind) {
    case 'ok':
      return null;
    case 'throttled': {
      const resumeAt = new Date(Date.now() + (verdict.retryAfterMs ?? UNSAID_PAUSE_MS));
      return { kind: 'pause', resumeAt, problem: unknownError(`${title} asked to wait`, text) };
    }
    case 'again':
      return {
        kind: 'later',
        isSent: true,
        // A gateway waits for a response no longer than we do.
        lateUntil: status === GATEWAY_TIMEOUT ? lateFromNow(patience) : null,
        problem: unknownError(`${title} answered ${status}`, text),
      };
    case 'access ended': {
      const message = `Operation Denied: ${title} no longer accepts this connection's access; the company has to connect it again`;
      const problem = { ...unknownError(message, text), code: 'operation-denied' } as const;
      return { kind: 'refused', problem, ...isOfThis };
    }
    case 'refused':
      return {
        kind: 'refused',
        problem: resource.refusal({ status, body: objectFrom(text), text }),
        ...isOfThis,
      };
    default:
      return verdict satisfies never;
  }
}

/** Whether a refusal says nothing about an earlier request with the same key. */
export const isOfThisRequest = ({ status, verdict }: PlatformReply): boolean =>
  verdict.kind === 'access ended' || (verdict.kind === 'refused' && OF_THIS_REQUEST.has(status));

/** The meaning of an error without an answer. Rethrows errors not caused by the platform. */
export function outcomeOfError(
  error: unknown,
  sent: { readonly isSent: boolean; readonly lateUntil?: string | null },
): Outcome {
  if (error instanceof PlatformPause) {
    return { kind: 'pause', resumeAt: error.resumeAt, problem: unknownError(error.message) };
  }
  if (!(error instanceof AppError)) throw error;
  if (error.code === 'connection-expired') throw error;
  // Its file is gone, which does not affect the other items.
  if (error.code === 'no-file') return { kind: 'refused', problem: unknownError(error.message) };
  if (!error.code.startsWith('platform-')) throw error;
  return { kind: 'later', ...sent, problem: unknownError(error.message) };
}
