/** A request of REST that a tool needs. */
export interface RestCall {
  readonly method: 'GET' | 'POST' | 'PUT';
  /** Without parameters in it: `/v3/core/companies/4`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly idempotencyKey?: string;
}

/** Sends it with the caller's key; the answer's JSON text. Throws `ToolRefusal` with what the service refused. */
export type CallRest = (call: RestCall) => Promise<string>;

/** What the service refused, in the words that a caller of REST gets. */
export class ToolRefusal extends Error {
  override readonly name = 'ToolRefusal';

  constructor(
    readonly code: string,
    message: string,
    readonly field: string,
  ) {
    super(message);
  }
}
