/** A request of REST that a tool needs. */
export interface RestCall {
  readonly method: 'GET' | 'POST' | 'PUT';
  /** Path without placeholders: `/v3/core/companies/4`. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly idempotencyKey?: string;
}

/**
 * Sends it with the caller's key and returns the response's JSON text. Throws `ToolRefusal` if the service refuses it.
 */
export type CallRest = (call: RestCall) => Promise<string>;

/** The service's refusal, with the message of REST. */
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

/** The same calls; refusals name the tool's argument where REST names what was made of it. */
export const refusingAs =
  (call: CallRest, argumentOf: (field: string) => string): CallRest =>
  (sent) =>
    call(sent).catch((error: unknown) => {
      if (!(error instanceof ToolRefusal)) throw error;
      const { code, message, field } = error;
      const argument = argumentOf(field);
      const isNamed = field !== '' && message.startsWith(`${field} `);
      throw new ToolRefusal(code, isNamed ? argument + message.slice(field.length) : message, argument);
    });
