import type { SandboxContext } from '../context.js';
import { Failure } from '../failure.js';
import type { Call } from '../http/call.js';
import { json, type Reply } from '../http/reply.js';
import { matchRoute, type Route } from '../http/router.js';
import { create, list, setDead, setIdempotency } from './accounts.js';
import { addFaults, clearFaults, listFaults, readStatistics, resetStatistics, setLimits } from './gates.js';
import type { ControlHandler } from './handler.js';
import { setHooks } from './hooks.js';
import { mutate } from './mutate.js';
import { dumpObjects, listWrites } from './objects.js';
import { endAccountTokens, issueToken } from './tokens.js';

const ROUTES: readonly Route<ControlHandler>[] = [
  ['GET', '/_sandbox/accounts', list],
  ['POST', '/_sandbox/accounts', create],
  ['POST', '/_sandbox/accounts/:id/dead', setDead],
  ['POST', '/_sandbox/accounts/:id/tokens', endAccountTokens],
  ['POST', '/_sandbox/accounts/:id/idempotency', setIdempotency],
  ['POST', '/_sandbox/tokens', issueToken],
  ['POST', '/_sandbox/mutate', mutate],
  ['GET', '/_sandbox/objects', dumpObjects],
  ['GET', '/_sandbox/writes', listWrites],
  ['GET', '/_sandbox/statistics', readStatistics],
  ['DELETE', '/_sandbox/statistics', resetStatistics],
  ['POST', '/_sandbox/faults', addFaults],
  ['GET', '/_sandbox/faults', listFaults],
  ['DELETE', '/_sandbox/faults', clearFaults],
  ['POST', '/_sandbox/limits', setLimits],
  ['POST', '/_sandbox/hooks', setHooks],
];

/** Answers a call under `/_sandbox`. Never throws. */
export async function answerControl(context: SandboxContext, call: Call): Promise<Reply> {
  try {
    const match = matchRoute(ROUTES, call.method, call.path);
    if (typeof match === 'string') return json(404, { error: `there is no ${call.method} ${call.path}` });
    return await match.handler({ ...call, context, params: match.params });
  } catch (error) {
    if (error instanceof Failure) {
      const [problem] = error.problems;
      const message = problem?.message ?? error.message;
      return json(error.code === 'not-found' ? 404 : 400, { error: message });
    }
    context.log.error({ err: error }, 'a control call failed');
    return json(500, { error: 'something went wrong' });
  }
}
