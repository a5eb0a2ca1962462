import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { type Context, createContext, type Surroundings } from '../context.js';
import { invalid } from '../errors.js';
import { lacksScope } from '../operations/keys/require-scope.js';
import { RequestCondition } from './answers/condition.js';
import { refusedKey } from './keys/given-key.js';
import type { HeldAnswers } from './limits/held-answers.js';

interface ContextOptions extends Surroundings {
  readonly answers: HeldAnswers;
  /** Differs for other code and for settings that affect responses. */
  readonly version: string;
}

const POSITION = 'x-svc-change-position';

/** The position of the change log that the caller has seen; 0 if it names none. */
function positionOf({ headers }: FastifyRequest): number {
  const given = headers[POSITION];
  if (given === undefined) return 0;
  if (typeof given === 'string' && /^\d{1,15}$/.test(given)) return Number(given);
  throw invalid(POSITION, 'must be a position of the change log: a whole number');
}

/** The context of a caller's request; its reads end when the caller leaves. */
export function requestContext(
  request: FastifyRequest,
  reply: FastifyReply,
  options: ContextOptions,
): Context {
  const { raw } = reply;
  const { caller } = request;
  if (!caller) throw refusedKey();
  if (!caller.scopes.has('read')) throw lacksScope('read', 'read');
  const left = new Set<() => void>();
  raw.once('close', () => {
    if (!raw.writableFinished) left.forEach((work) => work());
  });
  if (request.method === 'GET' || request.method === 'HEAD') {
    const { version } = options;
    const given = request.headers['if-none-match'];
    request.condition = new RequestCondition({ version, scope: caller.scope, url: request.url, given });
  }
  return createContext(options, {
    scope: caller.scope,
    condition: request.condition,
    position: positionOf(request),
    principal: { keyId: caller.id, scopes: caller.scopes },
    tally: request.tally,
    held: options.answers.ofRequest(request, reply),
    pages: options.answers.pagesOf(caller.scope.organisationId),
    requestId: request.id,
    whenLeft: (work) => {
      left.add(work);
      return () => left.delete(work);
    },
    log: request.log as Logger,
  });
}
