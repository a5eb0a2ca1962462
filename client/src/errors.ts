/** A refusal of the service. `code` is for programs, `requestId` for questions to whoever runs it. */
export class ApiError extends Error {
  override readonly name = 'ApiError';

  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly details: {
      /** The input at fault; empty where there is none. */
      readonly field: string;
      readonly requestId: string;
      /** The platform's own message, of a write that it refused. */
      readonly platformError: string | null;
      /** Seconds until the same request may succeed, where the service said. */
      readonly retryAfter: number | null;
    },
  ) {
    super(message);
  }
}

/** Errors of a GraphQL answer. */
export class GraphqlError extends Error {
  override readonly name = 'GraphqlError';

  constructor(readonly errors: readonly GraphqlProblem[]) {
    super(errors.map(({ message }) => message).join('; '));
  }
}

export interface GraphqlProblem {
  readonly message: string;
  readonly path?: readonly (string | number)[];
  readonly extensions?: { readonly code?: string; readonly [name: string]: unknown };
}
