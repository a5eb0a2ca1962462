import { once } from 'node:events';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../context.js';
import type { Limits } from '../../limits.js';
import { hashKey } from '../../operations/keys/api-keys.js';
import type { ContextOf } from '../context-of.js';
import { givenKey, refusedKey } from '../given-key.js';
import type { LiveKeys } from './live-keys.js';
import type { OpenSubscriptions } from './open-subscriptions.js';

interface EventStreamOptions {
  readonly keys: LiveKeys;
  readonly open: OpenSubscriptions;
  readonly limits: Limits;
  readonly contextOf: ContextOf;
}

/** Answers with server-sent events for as long as there are some and their reader is there. */
export type SendEvents = (
  request: FastifyRequest,
  reply: FastifyReply,
  begin: (context: Context) => Promise<AsyncGenerator<string>>,
) => Promise<void>;

/** Proxies end connections on which nothing passes. */
const HEARTBEAT_MS = 15_000;

/** Whether only events are an answer: urql names them beside JSON, in every query. */
export const isEventStream = ({ headers: { accept = '' } }: FastifyRequest): boolean =>
  accept.includes('text/event-stream') && !accept.includes('json');

/** What is wrong before the first event is answered as any other error is. */
export function createSendEvents({ keys, open, limits, contextOf }: EventStreamOptions): SendEvents {
  return async (request, reply, begin) => {
    const { caller } = request;
    if (!caller) throw refusedKey();
    const use = keys.use({ keyId: caller.id, hash: hashKey(givenKey(request.headers)), address: request.ip });
    const left = new AbortController();
    const leave = () => left.abort();
    reply.raw.once('close', leave);
    const endings: (() => void)[] = [use.end];
    try {
      endings.push(await open.open(caller));
      const context = contextOf(request, reply);
      const stopping = AbortSignal.any([context.stopping, use.revoked, left.signal]);
      const events = await begin({ ...context, stopping });
      const first = await events.next();
      reply.hijack();
      reply.raw.writeHead(200, {
        ...(reply.getHeaders() as Record<string, string>),
        'content-type': 'text/event-stream; charset=utf-8',
        // nginx would hold events back.
        'x-accel-buffering': 'no',
      });
      await sendAll(reply, first, events, { stopping, milliseconds: limits.slowReaderMilliseconds });
    } finally {
      left.abort();
      endings.forEach((end) => end());
    }
  };
}

async function sendAll(
  { raw, log }: FastifyReply,
  first: IteratorResult<string>,
  events: AsyncGenerator<string>,
  { stopping, milliseconds }: { readonly stopping: AbortSignal; readonly milliseconds: number },
): Promise<void> {
  const heartbeat = setInterval(() => {
    if (!raw.writableNeedDrain) raw.write(':\n\n');
  }, HEARTBEAT_MS);
  try {
    for (let event = first; !event.done && !raw.destroyed; event = await events.next()) {
      if (raw.write(event.value)) continue;
      const tooSlow = AbortSignal.timeout(milliseconds);
      await once(raw, 'drain', { signal: AbortSignal.any([stopping, tooSlow]) });
    }
    raw.end();
  } catch (error) {
    // It reads too slowly or has left, and continues from the last event that it has.
    log.debug({ err: error }, 'an event stream was cut off');
    raw.destroy();
  } finally {
    clearInterval(heartbeat);
    await events.return(undefined);
  }
}
