import { once } from 'node:events';
import type { Writable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Context, renewContext } from '../../context.js';
import type { Limits } from '../../limits.js';
import type { ContextOf } from '../context-of.js';
import { streamEncoder } from '../answers/compress.js';
import { givenKey, refusedKey } from '../keys/given-key.js';
import { joinSignals } from './joined-signal.js';
import type { LiveKeys } from './live-keys.js';
import type { OpenSubscriptions } from './open-subscriptions.js';
import { hashSecret } from '../../secrets/hash-secret.js';

interface LongTextOptions {
  readonly keys: LiveKeys;
  readonly open: OpenSubscriptions;
  readonly limits: Limits;
  readonly contextOf: ContextOf;
}

/** Text that is produced while it is sent. */
interface LongText {
  readonly headers: Readonly<Record<string, string>>;
  readonly parts: AsyncGenerator<string>;
  /**
   * Sent after some silence; a text with heartbeats is not compressed, since its parts must not wait for each other.
   */
  readonly heartbeat?: string;
}

type Send<Text> = (
  request: FastifyRequest,
  reply: FastifyReply,
  begin: (context: Context) => Promise<Text>,
) => Promise<void>;

/** Sends a long text while its reader stays connected and its key is valid. */
export type SendLongText = Send<LongText>;

/** The same with server-sent events. */
export type SendEvents = Send<AsyncGenerator<string>>;

/** Proxies close idle connections. */
const HEARTBEAT_MS = 15_000;

/** Whether the client accepts only events: urql accepts them next to JSON in every query. */
export const isEventStream = ({ headers: { accept = '' } }: FastifyRequest): boolean =>
  accept.includes('text/event-stream') && !accept.includes('json');

/** A proxy that compressed events would hold them back: some heed only one of the last two headers. */
const EVENTS = {
  headers: {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'private, no-cache, no-transform',
    'content-encoding': 'identity',
  },
  heartbeat: ':\n\n',
};

/** Sends events as a long text. */
export const eventsBy =
  (send: SendLongText): SendEvents =>
  (request, reply, begin) =>
    send(request, reply, async (context) => ({ ...EVENTS, parts: await begin(context) }));

/** Errors before the first part are sent like any other error. */
export function createSendLongText({ keys, open, limits, contextOf }: LongTextOptions): SendLongText {
  return async (request, reply, begin) => {
    const { caller } = request;
    if (!caller) throw refusedKey();
    const use = keys.use({
      keyId: caller.id,
      hash: hashSecret(givenKey(request.raw)),
      address: request.address,
    });
    const left = new AbortController();
    const leave = () => left.abort();
    reply.raw.once('close', leave);
    const endings: (() => void)[] = [use.end];
    try {
      endings.push(await open.open(caller));
      // Rows are sent and counted page by page.
      const context = renewContext(contextOf(request, reply));
      const { signal: stopping, leave: unjoin } = joinSignals([context.stopping, use.revoked, left.signal]);
      endings.push(unjoin);
      const { headers, heartbeat, ...text } = await begin({ ...context, stopping });
      const parts = await beginParts(text.parts);
      const encoder = heartbeat === undefined ? streamEncoder(request.headers['accept-encoding']) : null;
      reply.hijack();
      reply.raw.writeHead(200, {
        ...(reply.getHeaders() as Record<string, string>),
        ...headers,
        // nginx would buffer events, and spool an export to disk for a slow reader.
        'x-accel-buffering': 'no',
        ...(encoder ? { 'content-encoding': encoder.encoding } : {}),
      });
      if (request.method === 'HEAD') {
        await parts.end();
        return void reply.raw.end();
      }
      encoder?.stream.pipe(reply.raw);
      const to = encoder?.stream ?? reply.raw;
      const patience = { stopping, milliseconds: limits.slowReaderMilliseconds };
      await sendAll(reply, { to, parts, heartbeat, ...patience });
      return undefined;
    } finally {
      left.abort();
      endings.forEach((end) => end());
    }
  };
}

/** Parts of a text whose first one has arrived. A consumed part is not retained: the next one may take long. */
interface Parts {
  readonly next: () => Promise<IteratorResult<string>>;
  readonly end: () => Promise<unknown>;
}

async function beginParts(parts: AsyncGenerator<string>): Promise<Parts> {
  let first: IteratorResult<string> | null = await parts.next();
  return {
    next: async () => {
      const given = first;
      first = null;
      return given ?? parts.next();
    },
    end: () => parts.return(undefined),
  };
}

interface Patience {
  readonly stopping: AbortSignal;
  readonly milliseconds: number;
}

interface Sending extends Patience {
  readonly to: Writable;
  readonly parts: Parts;
  readonly heartbeat: string | undefined;
}

/** Throws an AbortError after the time. */
async function drain(to: Writable, { stopping, milliseconds }: Patience): Promise<void> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), milliseconds);
  const { signal, leave } = joinSignals([stopping, late.signal]);
  try {
    await once(to, 'drain', { signal });
  } finally {
    clearTimeout(timer);
    leave();
  }
}

async function sendAll(
  { raw, log }: FastifyReply,
  { to, parts, heartbeat, stopping, milliseconds }: Sending,
): Promise<void> {
  const beating =
    heartbeat === undefined
      ? undefined
      : setInterval(() => {
          if (!to.writableNeedDrain) to.write(heartbeat);
        }, HEARTBEAT_MS);
  const sendNext = async (): Promise<'taken' | 'left' | 'over'> => {
    const part = await parts.next();
    if (part.done || raw.destroyed) return 'over';
    return to.write(part.value) ? 'taken' : 'left';
  };
  try {
    for (let sent = await sendNext(); sent !== 'over'; sent = await sendNext()) {
      if (sent === 'taken') continue;
      await drain(to, { stopping, milliseconds });
    }
    to.end();
  } catch (error) {
    // A client that reads too slowly or has disconnected continues from the last part received, as after an error of
    // ours.
    const isReaders = (error as Error).name === 'AbortError' || stopping.aborted;
    log[isReaders ? 'debug' : 'error']({ err: error }, 'a long answer was cut off');
    raw.destroy();
    to.destroy();
  } finally {
    clearInterval(beating);
    await parts.end();
  }
}
