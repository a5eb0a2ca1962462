import { databaseTime } from '../../db/clock.js';
import type { PlatformObject, PlatformReply } from '../../connectors/platform.js';
import { parsePlatformJson } from '../../connectors/values/platform-json.js';
import type { PushResource, PushScheme, WriteRequest } from '../../connectors/push.js';
import { objectFrom, objectOf } from '../../connectors/values/platform-values.js';
import type { WriteProblem } from '../../errors.js';
import { ask, lateInMs, outcomeOfError, outcomeOfVerdict, type SendContext } from './ask-platform.js';
import { markerOf } from '../engine.js';
import { failPoint } from '../fail-points.js';
import type { ItemRow } from '../item-state.js';
import { type Outcome, unknownError } from './outcome.js';

/** An item is tried this often; then it is only looked for. */
export const MAX_ATTEMPTS = 8;

/** Interval of looking for requests that may be in flight. */
const LOOK_MS = 2500;
const HOUR = 3_600_000;
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
    return asSent(outcomeOfError(error, { isSent: true }));
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
      return outcomeOfError(error, { isSent: true, lateUntil: item.lateUntil });
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

async function send(sending: SendContext, item: ItemRow, text: string): Promise<Outcome> {
  const request = parsePlatformJson(text).value as WriteRequest;
  const reply = await ask(sending, { item, request, key: markerOf(item.jobId) });
  if ('kind' in reply) return reply;
  failPoint('after send');
  return outcomeOfVerdict(sending, reply) ?? outcomeOfAnswer(sending, request, reply);
}

function outcomeOfAnswer(
  { resource, title }: SendContext,
  request: WriteRequest,
  { status, text }: PlatformReply,
): Outcome {
  const object = writtenIn(resource, request, objectFrom(text));
  if (object) return { kind: 'written', object };
  const message = `${title} answered ${status} without the record`;
  return { kind: 'later', isSent: true, problem: unknownError(message, text) };
}

function writtenIn(
  resource: PushResource,
  request: WriteRequest,
  answer: PlatformObject | null,
): PlatformObject | null {
  try {
    return answer && resource.written(answer, request);
  } catch {
    return null;
  }
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
