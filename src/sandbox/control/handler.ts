import type { SandboxContext } from '../context.js';
import type { Call } from '../http/call.js';
import type { Reply } from '../http/reply.js';

/** A call to a control endpoint. */
export interface ControlCall extends Call {
  readonly context: SandboxContext;
  readonly params: Readonly<Record<string, string>>;
}

export type ControlHandler = (call: ControlCall) => Promise<Reply>;
