import { setMaxListeners } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { GraphQLError } from 'graphql';
import type { WebSocket } from 'ws';
import { type Context, createContext, newTally, type Surroundings } from '../../context.js';
import { AppError, toAppError } from '../../errors.js';
import { extensionsOf, logHidden } from '../../graphql/errors.js';
import { RefusedSubscription, type SubscriptionResult, type Subscriptions } from '../../graphql/subscribe.js';
import type { Logger } from '../../telemetry/log.js';
import type { ActiveKey } from '../../operations/keys/api-keys.js';
import type { HeldAnswers } from '../limits/held-answers.js';
import type { AdmitRequest } from '../limits/limit-requests.js';
import { joinSignals } from './joined-signal.js';
import type { Use } from './live-keys.js';
import type { OpenSubscriptions } from './open-subscriptions.js';

export interface SubscriptionOptions extends Surroundings {
  readonly open: OpenSubscriptions;
  readonly admit: AdmitRequest;
  readonly answers: HeldAnswers;
  readonly subscriptions: Subscriptions;
  readonly requestIds: (request: IncomingMessage) => string;
  readonly logRequests: boolean;
  readonly log: Logger;
}

/** A connection, with its caller once the key is known. */
export interface Connection {
  readonly socket: WebSocket;
  readonly request: IncomingMessage;
  readonly left: AbortController;
  /** Runs until a key is given. */
  readonly late: NodeJS.Timeout;
  caller: ActiveKey | null;
  use: Use | null;
}

/** Begins a subscription of a connection. Throws a `RefusedSubscription`, or an `AppError`. */
export async function beginSubscription(
  options: SubscriptionOptions,
  { caller, left, request }: Connection,
  payload: object,
): Promise<AsyncGenerator<SubscriptionResult>> {
  const { subscriptions, log } = options;
  if (!caller) throw new AppError('unauthenticated', 'the connection has no key');
  const began = performance.now();
  await options.admit(caller);
  const free = await options.open.open(caller);
  const tally = newTally();
  const requestId = options.requestIds(request);
  const endings = [free];
  const end = () => {
    endings.forEach((one) => one());
    if (!options.logRequests) return;
    const { operation, statements } = tally;
    const ms = Math.round(performance.now() - began);
    const line = { requestId, keyId: caller.id, organisationId: caller.scope.organisationId };
    log.info({ ...line, route: '/graphql', operation, ms, statements }, 'subscription');
  };
  const done = new AbortController();
  // Each event of a page is a query.
  setMaxListeners(0, done.signal);
  try {
    const own = createContext(options, {
      scope: caller.scope,
      principal: { keyId: caller.id, scopes: caller.scopes },
      tally,
      requestId,
      log,
      pages: options.answers.pagesOf(caller.scope.organisationId),
      whenLeft: (work) => {
        done.signal.addEventListener('abort', work);
        return () => done.signal.removeEventListener('abort', work);
      },
    });
    const { signal: stopping, leave } = joinSignals([own.stopping, left.signal, done.signal]);
    endings.push(leave);
    const context: Context = { ...own, stopping };
    return endable(await subscriptions.start(payload, context), () => {
      done.abort();
      end();
    });
  } catch (error) {
    end();
    throw error;
  }
}

/** The errors that a client is told when a subscription does not begin. */
export function refusalOf(error: unknown, log: Logger): readonly GraphQLError[] {
  if (error instanceof RefusedSubscription) {
    return error.errors.map(({ message, extensions }) => new GraphQLError(message, { extensions }));
  }
  const known = toAppError(error);
  logHidden(known, log, 'unexpected error in a subscription');
  return [new GraphQLError(known.message, { extensions: extensionsOf(known) })];
}

/** A subscription that can end even while it waits: `return` alone would wait, too. */
function endable<Value>(generator: AsyncGenerator<Value>, end: () => void): AsyncGenerator<Value> {
  let isEnded = false;
  const once = () => {
    if (!isEnded) end();
    isEnded = true;
  };
  return Object.assign(Object.create(generator) as AsyncGenerator<Value>, {
    next: async () => {
      const result = await generator.next();
      if (result.done) once();
      return result;
    },
    return: (value: undefined) => {
      once();
      return generator.return(value);
    },
    throw: (error: unknown) => {
      once();
      return generator.throw(error);
    },
    [Symbol.asyncIterator]() {
      return this as unknown as AsyncGenerator<Value>;
    },
  });
}
