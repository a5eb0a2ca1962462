import type { SandboxContext } from '../context.js';
import { Failure } from '../failure.js';
import type { Call } from '../http/call.js';
import { json, type Reply } from '../http/reply.js';
import { matchRoute, type Route } from '../http/router.js';
import { issueToken } from './tokens.js';

/** A call of the control endpoints. */
export interface ControlCall extends Call {
  readonly context: SandboxContext;
  readonly params: Readonly<Record<string, string>>;
}

export type ControlHandler = (call: ControlCall) => Promise<Reply>;

const ROUTES: readonly Route<ControlHandler>[] = [['POST', '/_sandbox/tokens', issueToken]];

/** Answers a call below `/_sandbox`. Never throws. */
export async function answerControl(context: SandboxContext, call: Call): Promise<Reply> {
  try {
    const match = matchRoute(ROUTES, call.method, call.path);
    if (typeof match === 'string') return json(404, { error: `there is no ${call.method} ${call.path}` });
    return await match.handler({ ...call, context, params: match.params });
  } catch (error) {
    if (error instanceof Failure) {
      return json(error.code === 'not-found' ? 404 : 400, { error: error.message });
    }
    context.log.error({ err: error }, 'a control call failed');
    return json(500, { error: 'something went wrong' });
  }
}
