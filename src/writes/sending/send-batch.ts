import { parsePlatformJson } from '../../connectors/values/platform-json.js';
import { objectFrom } from '../../connectors/values/platform-values.js';
import type { BatchResult, WriteBatch, WriteRequest } from '../../connectors/push.js';
import { markerOf } from '../engine.js';
import { failPoint } from '../fail-points.js';
import type { ItemRow } from '../item-state.js';
import { ask, isOfThisRequest, outcomeOfVerdict, type SendContext } from './ask-platform.js';
import { type Outcome, unknownError } from './outcome.js';

/** Items that are created by one request, in their order. */
interface Batch {
  readonly id: string;
  readonly how: WriteBatch;
  readonly items: readonly Pick<ItemRow, 'file' | 'lateUntil'>[];
  /** JSON texts of their WriteRequests. */
  readonly requests: readonly string[];
  /** It may have been sent before. */
  readonly isAgain: boolean;
}

/** Results of a batch, one per item, in order. */
interface SentBatch {
  readonly outcomes: readonly Outcome[];
  /** The platform accepted none of them, without a reason for each: each has to be sent alone. */
  readonly isRefused: boolean;
}

const MAX_IN_ID = 1000;

/** The id of a new batch contains its original size: it is resent unchanged, or not at all. */
export const batchIdOf = (count: number, id: string): string => `${count % MAX_IN_ID}-${id}`;

export const sizeOfBatch = (batchId: string): number => Number.parseInt(batchId, 10);

/** Sends items in one request under its own key; the same items make the same request. */
export async function sendBatch(
  sending: SendContext,
  { id, how, items, requests, isAgain }: Batch,
): Promise<SentBatch> {
  const all = (outcome: Outcome, isRefused = false) => ({ outcomes: items.map(() => outcome), isRefused });
  const [item] = items;
  if (!item) return all(noWord(sending, ''));
  const parts = requests.map((text) => parsePlatformJson(text).value as WriteRequest);
  const reply = await ask(sending, { item, request: how.join(parts), key: markerOf(id) });
  if ('kind' in reply) return all(reply);
  failPoint('after send');
  const { verdict, text, status } = reply;
  if (isAgain && isOfThisRequest(reply)) {
    const problem = unknownError(`${sending.title} answered ${status} to a repeat`, text);
    return all({ kind: 'later', isSent: true, lateUntil: item.lateUntil, problem });
  }
  // The refusal of one of several may look like a refusal of all.
  const isAnsweredPerItem = verdict.kind === 'ok' || (verdict.kind === 'refused' && status < 300);
  const results = isAnsweredPerItem ? resultsIn(how, text, parts) : null;
  if (results?.length === items.length) {
    return { outcomes: results.map((result) => outcomeOfResult(sending, result)), isRefused: false };
  }
  if (verdict.kind === 'refused' && status >= 300) {
    const problem = unknownError(`${sending.title} answered ${status} to several records at once`, text);
    return all({ kind: 'unsettled', dueAt: new Date(), problem }, true);
  }
  const outcome = isAnsweredPerItem ? null : outcomeOfVerdict(sending, reply);
  return all(outcome ?? noWord(sending, text));
}

function noWord({ title }: SendContext, text: string): Outcome {
  const message = `${title} did not answer with a result for each record`;
  return { kind: 'later', isSent: true, problem: unknownError(message, text) };
}

function resultsIn(how: WriteBatch, text: string, requests: readonly WriteRequest[]) {
  const answer = objectFrom(text);
  try {
    return answer && how.results(answer, requests);
  } catch {
    return null;
  }
}

const outcomeOfResult = ({ resource }: SendContext, result: BatchResult): Outcome =>
  'object' in result
    ? { kind: 'written', object: result.object }
    : { kind: 'refused', problem: resource.refusal(result.refused) };
