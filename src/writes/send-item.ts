import { databaseTime } from '../db/clock.js';
import type { PlatformClient, PlatformObject, PlatformReply } from '../connectors/connector.js';
import { PlatformPause, wasNotSent } from '../connectors/platform-errors.js';
import { parsePlatformJson } from '../connectors/platform-json.js';
import type {
  PushResource,
  PushScheme,
  WriteForm,
  WriteOperation,
  WriteRequest,
} from '../connectors/push.js';
import { objectFrom, objectOf } from '../connectors/platform-values.js';
import { isOutage } from '../db/database-error.js';
import { AppError, type WriteProblem } from '../errors.js';
import type { FileStore } from '../files/file-store.js';
import { encodeBody } from './encode-body.js';
import { markerOf, type WritePatience } from './engine.js';
import { failPoint } from './fail-points.js';
import { fileBody, itemFileOf } from './item-files.js';
import type { ItemRow } from './item-state.js';

/** Result of one send attempt. */
export type Outcome =
  | {
      readonly kind: 'written';
      readonly object: PlatformObject;
      /** It was sent more than once: the lost request may be carried out after all. */
      readonly isResent?: boolean;
    }
  /** `object` if the platform has the record nevertheless, but refused a following request. */
  | {
      readonly kind: 'refused';
      readonly problem: WriteProblem;
      readonly object?: PlatformObject;
      /** It says nothing about an earlier request with the same key. */
      readonly isOfThisRequest?: boolean;
    }
  /**
   * To be retried; `isSent` says whether the platform may have carried it out, `lateUntil` until when it still may if
   * there is no answer.
   */
  | {
      readonly kind: 'later';
      readonly isSent: boolean;
      readonly lateUntil?: string | null;
      readonly problem: WriteProblem;
    }
  /** The platform does not have it yet, but may still be processing it: it is looked for again. */
  | { readonly kind: 'unsettled'; readonly dueAt: Date; readonly problem: WriteProblem }
  /** The platform wants no call before this time: nothing was sent. */
  | { readonly kind: 'pause'; readonly resumeAt: Date; readonly problem: WriteProblem }
  /** It is unknown whether the platform has it; with an `object`, whether it is complete. */
  | { readonly kind: 'unknowable'; readonly problem: WriteProblem; readonly object?: PlatformObject };

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

/** An item is tried this often; then it is only looked for. */
export const MAX_ATTEMPTS = 8;

const TIMEOUT_MS = 20_000;
/** Interval of looking for requests that may be in flight. */
const LOOK_MS = 2500;
const MAX_BYTES = 10_000_000;
const HOUR = 3_600_000;
const GATEWAY_TIMEOUT = 504;
/** No access, or not now: the platform may be processing an earlier request with the same key. */
const OF_THIS_REQUEST: ReadonlySet<number> = new Set([401, 403, 409]);
/** Pause before a retry at a platform that gave no `Retry-After`. */
const UNSAID_PAUSE_MS = 1000;

/**
 * Writes an item. One that may have been sent before is settled first: by looking for its marker if the platform can be
 * searched, else by its idempotency key; never by resending it blindly. `request` is the same for every attempt.
 */
export async function sendItem(sending: SendContext, item: ItemRow, request: string): Promise<Outcome> {
  const known = item.written === null ? null : objectFrom(item.written);
  const outcome: Outcome = known
    ? { kind: 'written', object: known }
    : await carryOut(sending, item, request);
  if (outcome.kind !== 'written') return outcome;
  const finished = await finish(sending, item, outcome.object);
  if (finished.kind !== 'written' || !sending.resource.find) return finished;
  const isResent = outcome.isResent ?? item.attempts > 1;
  return isResent && !hasGoodKeyOfItsOwn(sending.scheme, item) ? { ...finished, isResent } : finished;
}

/** Sends the following requests and reads the result, from the start if an earlier attempt did not complete. */
async function finish(sending: SendContext, item: ItemRow, object: PlatformObject): Promise<Outcome> {
  const { form, resource, platform, title } = sending;
  const following = form.follow?.(inputOf(item), object) ?? [];
  if (following.length === 0 && !resource.readBack) return { kind: 'written', object };
  if (item.written === null) await sending.noteWritten(item, object);
  if (item.attempts >= MAX_ATTEMPTS) {
    // Only reading it back has failed.
    if (following.length === 0) return { kind: 'written', object };
    const message = `${title} has the record, but did not accept the remaining steps in ${MAX_ATTEMPTS} attempts: check the record there`;
    return { kind: 'unknowable', problem: unknownError(message), object };
  }
  for (const [index, request] of following.entries()) {
    failPoint('between the steps of a write');
    const key = `${markerOf(item.jobId)}-${index + 1}`;
    const reply = await ask(sending, { item, request, key });
    if ('kind' in reply) return asSent(reply);
    const outcome = outcomeOfVerdict(sending, reply);
    if (outcome?.kind === 'refused') {
      const words = `${title} has the record, but refused a remaining step: ${outcome.problem.words}`;
      return { ...outcome, problem: { ...outcome.problem, words }, object };
    }
    if (outcome) return asSent(outcome);
  }
  if (!resource.readBack) return { kind: 'written', object };
  failPoint('between the steps of a write');
  try {
    return { kind: 'written', object: await resource.readBack(platform, object) };
  } catch (error) {
    return asSent(outcomeOf(error, { isSent: true }));
  }
}

/** The platform has the record, even if a following request failed. */
const asSent = (outcome: Outcome): Outcome =>
  outcome.kind === 'later' ? { ...outcome, isSent: true } : outcome;

/** What an item holds. */
export const inputOf = ({ input }: Pick<ItemRow, 'input'>): PlatformObject =>
  objectOf(parsePlatformJson(input.text).value) ?? {};

async function carryOut(sending: SendContext, item: ItemRow, request: string): Promise<Outcome> {
  const wasSent = item.firstSentAt !== null;
  const isAgain = wasSent && sending.operation === 'CREATE';
  if (isAgain) {
    const settled = (await findEarlierWrite(sending, item)) ?? waitForLate(sending, item);
    if (settled) return settled;
  }
  if (item.attempts >= MAX_ATTEMPTS) return outcomeOfExhausted(sending, wasSent);
  const withheld = wasSent ? await sending.withheld([item]) : null;
  if (withheld) return outcomeOfWithheld(sending, item, withheld);
  if (isAgain) await sending.noteResent(item, lateInMs(sending, item));
  const outcome = await send(sending, item, request);
  if (outcome.kind === 'written') return { ...outcome, isResent: isAgain };
  if (outcome.kind === 'refused' && outcome.problem.code === 'conflict' && sending.form.readsCurrent) {
    return outcomeOfOutdated(sending, outcome.problem, wasSent);
  }
  return outcome.kind === 'refused' && wasSent ? resolveRefusedResend(sending, item, outcome) : outcome;
}

/** A resend was refused. The object created by an earlier attempt may itself conflict with it. */
async function resolveRefusedResend(
  sending: SendContext,
  item: ItemRow,
  refused: Outcome & { readonly kind: 'refused' },
): Promise<Outcome> {
  const settled = await findEarlierWrite(sending, item);
  if (settled || !refused.isOfThisRequest) return settled ?? refused;
  const { lateUntil } = item;
  if (lateLeftMs(item) > 0) return { kind: 'later', isSent: true, lateUntil, problem: refused.problem };
  if (canFind(sending)) return refused;
  const message = `${sending.title} did not answer when the record was sent, and refused the repeat: check there before sending it again; ${refused.problem.words}`;
  return { kind: 'unknowable', problem: unknownError(message, refused.problem.platformError) };
}

/** The request is based on an outdated object: it is rebuilt, unless an earlier attempt may have caused the change. */
function outcomeOfOutdated({ title }: SendContext, problem: WriteProblem, wasSent: boolean): Outcome {
  if (!wasSent) return { kind: 'later', isSent: false, problem };
  const message = `${title} did not answer when the record was sent, and the record has changed since: check it there`;
  return { kind: 'unknowable', problem: unknownError(message, problem.platformError) };
}

/** The object that an earlier attempt has created; null when the item may be resent. */
export async function findEarlierWrite(
  { resource, scheme, platform, title }: SendContext,
  item: ItemRow,
): Promise<Outcome | null> {
  if (resource.find) {
    try {
      const lost = { marker: markerOf(item.jobId), item: inputOf(item) };
      const object = await resource.find(platform, lost);
      return object && { kind: 'written', object };
    } catch (error) {
      return outcomeOf(error, { isSent: true, lateUntil: item.lateUntil });
    }
  }
  if (hasGoodKeyOfItsOwn(scheme, item)) return null;
  const problem = unknownError(
    `${title} did not answer when the record was sent, and cannot be searched for it: check there before sending it again`,
  );
  return { kind: 'unknowable', problem };
}

/** Whether the platform carries the request out once, however often it is sent. */
export function hasGoodKey(
  { idempotencyKey }: Pick<PushScheme, 'idempotencyKey'>,
  { firstSentAt }: Pick<ItemRow, 'firstSentAt'>,
): boolean {
  const age = databaseTime().getTime() - Date.parse(firstSentAt ?? '');
  return idempotencyKey !== null && age < idempotencyKey.hours * HOUR * 0.9;
}

/** A batch's key is not valid for an item that is sent alone. */
const hasGoodKeyOfItsOwn = (scheme: PushScheme, item: ItemRow): boolean =>
  item.batchId === null && hasGoodKey(scheme, item);

/**
 * An item that was not found may still be carried out if its request got no answer: it is not resent until that is
 * unlikely, unless its key makes a resend safe.
 */
function waitForLate(sending: SendContext, item: ItemRow): Outcome | null {
  return hasGoodKeyOfItsOwn(sending.scheme, item) ? null : lookLater(sending, item);
}

/** Null if the request of an item that was not found can no longer be carried out. */
function lookLater({ title }: Pick<SendContext, 'title'>, item: ItemRow): Outcome | null {
  const left = lateLeftMs(item);
  if (left <= 0) return null;
  const dueAt = new Date(Date.now() + Math.min(LOOK_MS, left));
  const message = `${title} did not answer when the record was sent, and does not have it yet`;
  return { kind: 'unsettled', dueAt, problem: unknownError(message) };
}

/**
 * The end of an item that may have been sent before, and may not be sent again as the company withholds the write: it
 * has failed only if the platform was searched for it and can no longer be processing it.
 */
export function outcomeOfWithheld(sending: SendContext, item: ItemRow, problem: WriteProblem): Outcome {
  if (canFind(sending)) return lookLater(sending, item) ?? { kind: 'refused', problem };
  const words = `${problem.words}; ${sending.title} did not answer when the record was sent, and it may or may not have carried out the write: check there`;
  return { kind: 'unknowable', problem: { ...problem, words } };
}

/** How long an earlier request may still be carried out; not positive if it may not. */
const lateLeftMs = ({ lateUntil }: ItemRow): number =>
  lateUntil === null ? 0 : Date.parse(lateUntil) - databaseTime().getTime();

/** How long a request that is sent now may still be carried out. */
export const lateInMs = ({ patience }: Pick<SendContext, 'patience'>, item: Pick<ItemRow, 'file'>): number =>
  answerMs(patience, item) + patience.lateMilliseconds;

/** How long to wait for an answer. */
const answerMs = ({ fileMilliseconds }: WritePatience, { file }: Pick<ItemRow, 'file'>): number =>
  file === null ? TIMEOUT_MS : fileMilliseconds;

/** Until when a request lost now may still be carried out. */
const lateFromNow = ({ lateMilliseconds }: WritePatience): string =>
  new Date(databaseTime().getTime() + lateMilliseconds).toISOString();

async function send(sending: SendContext, item: ItemRow, text: string): Promise<Outcome> {
  const request = parsePlatformJson(text).value as WriteRequest;
  const reply = await ask(sending, { item, request, key: markerOf(item.jobId) });
  if ('kind' in reply) return reply;
  failPoint('after send');
  return outcomeOfVerdict(sending, reply) ?? outcomeOfAnswer(sending, reply);
}

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
    return outcomeOf(error, { isSent, lateUntil: isSent ? lateFromNow(patience) : item.lateUntil });
  }
}

type KeyedRequest = Required<Pick<WriteRequest, 'query' | 'headers' | 'body'>>;

/** The request with its key, where the platform wants that. */
function addKey(
  { query = {}, headers = {}, body }: WriteRequest,
  { idempotencyKey }: PushScheme,
  key: string,
): KeyedRequest {
  if (!idempotencyKey) return { query, headers, body };
  switch (idempotencyKey.in) {
    case 'header':
      return { query, headers: { ...headers, [idempotencyKey.name]: key }, body };
    case 'query':
      return { query: { ...query, [idempotencyKey.name]: key }, headers, body };
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
      return { kind: 'pause', resumeAt, problem: unknownError(`${title} wants a pause`, text) };
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

function outcomeOfAnswer({ resource, title }: SendContext, { status, text }: PlatformReply): Outcome {
  const object = writtenIn(resource, objectFrom(text));
  if (object) return { kind: 'written', object };
  const message = `${title} answered ${status} without the record`;
  return { kind: 'later', isSent: true, problem: unknownError(message, text) };
}

function writtenIn(resource: PushResource, answer: PlatformObject | null): PlatformObject | null {
  try {
    return answer && resource.written(answer);
  } catch {
    return null;
  }
}

/** The meaning of an error without an answer. Rethrows errors not caused by the platform. */
function outcomeOf(
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

/** Whether a look-up shows that nothing was written. */
const canFind = ({ operation, resource }: SendContext): boolean =>
  operation === 'CREATE' && resource.find !== undefined;

function outcomeOfExhausted(sending: SendContext, wasSent: boolean): Outcome {
  const { title } = sending;
  // The lookup has just shown that nothing was created before.
  const isKnown = !wasSent || canFind(sending);
  const message = isKnown
    ? `${title} did not accept the record in ${MAX_ATTEMPTS} attempts; it was not written`
    : `${title} did not answer in ${MAX_ATTEMPTS} attempts; it may or may not have carried out the write: check there before sending it again`;
  return isKnown
    ? { kind: 'refused', problem: unknownError(message) }
    : { kind: 'unknowable', problem: unknownError(message) };
}

const MAX_TEXT_LENGTH = 2000;

export function unknownError(words: string, platformError: string | null = null): WriteProblem {
  return {
    code: 'unknown-error',
    words,
    path: [],
    platformError: platformError === null ? null : platformError.slice(0, MAX_TEXT_LENGTH),
  };
}
