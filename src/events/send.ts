import { performance } from 'node:perf_hooks';
import { NoAnswer, type OutboundCaller } from '../outbound/caller.js';
import type { WebhookEvent } from './event.js';
import type { Headers } from './sealed-webhook.js';
import { signatureHeaders } from './signature.js';

/** How long a receiver may take: from the look-up of its name to the end of its answer. */
export const DELIVERY_TIMEOUT_MS = 15_000;

/** Where events are sent, and with which headers and secrets. */
export interface Receiver {
  readonly url: string;
  readonly headers: Headers;
  /** All that are valid now. */
  readonly secrets: readonly string[];
}

/** Conclusion about the receiver: `away` applies to all events, `refused` possibly only to this one. */
type Verdict = 'delivered' | 'refused' | 'away' | 'gone';

/** One attempt to deliver an event. */
export interface Attempt {
  readonly verdict: Verdict;
  readonly at: Date;
  readonly durationMs: number;
  /** HTTP status, also of an incomplete response; null without a response. */
  readonly status: number | null;
  readonly text: string | null;
  readonly error: string | null;
  readonly retryAfterSeconds: number | null;
}

const GONE = 410;
/** Statuses of a receiver, or a proxy in front of it, that is overloaded or down. */
const AWAY: ReadonlySet<number> = new Set([429, 502, 503, 504]);

const verdictOf = (status: number): Verdict => {
  if (status >= 200 && status < 300) return 'delivered';
  if (status === GONE) return 'gone';
  return AWAY.has(status) ? 'away' : 'refused';
};

/** Sends an event once. What goes wrong is the result. */
export async function sendEvent(
  outbound: OutboundCaller,
  { url, headers, secrets }: Receiver,
  { id, body }: Pick<WebhookEvent, 'id' | 'body'>,
  sentAt: Date,
): Promise<Attempt> {
  const began = performance.now();
  const took = () => ({ at: sentAt, durationMs: Math.round(performance.now() - began) });
  try {
    const answer = await outbound.post({
      url,
      headers: {
        ...headers,
        'content-type': 'application/json',
        'user-agent': 'unified-financial-data-service',
        ...signatureHeaders({ id, body, sentAt, secrets }),
      },
      body,
    });
    const verdict = verdictOf(answer.status);
    const error = verdict === 'delivered' ? null : `the receiver answered ${answer.status}`;
    return { verdict, ...took(), ...answer, error };
  } catch (error) {
    if (!(error instanceof NoAnswer)) throw error;
    return {
      verdict: 'away',
      ...took(),
      status: error.status,
      text: null,
      error: error.message,
      retryAfterSeconds: null,
    };
  }
}
