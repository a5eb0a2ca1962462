/** A span's attributes: never a secret, content of records, or a statement's values. */
type Attributes = Readonly<Record<string, string | number | boolean>>;

export interface SpanOptions {
  readonly kind?: 'server' | 'client' | 'consumer';
  readonly attributes?: Attributes;
  /** The caller's headers, with their W3C trace context. */
  readonly caller?: Readonly<Record<string, unknown>>;
  /** The `traceparent` of the cause of this work, which has its own trace. */
  readonly causedBy?: string | null;
}

/** A span in progress. */
export interface OpenSpan {
  readonly traceId: string;
  set(attributes: Attributes): void;
  /** Runs work within it; spans begun there are its children. */
  within<Result>(work: () => Result): Result;
  end(outcome?: { readonly failed: boolean }): void;
}

/** Creates spans: see src/otel.ts, which is loaded only if tracing is on. */
export interface Tracing {
  begin(name: string, options: SpanOptions): OpenSpan;
  /** Headers with the current trace context. */
  headers(): Readonly<Record<string, string>>;
}

let tracing: Tracing | null = null;

/** Turns tracing on; null turns it off. */
export function setTracing(made: Tracing | null): void {
  tracing = made;
}

/** A span that its caller ends; null if tracing is off. */
export const beginSpan = (name: string, options: SpanOptions): OpenSpan | null =>
  tracing === null ? null : tracing.begin(name, options);

/** Whether tracing is on, for callers that would prepare data for spans. */
export const isTraced = (): boolean => tracing !== null;

/** The current trace context, for a call to another service; empty if tracing is off. */
export const traceHeaders = (): Readonly<Record<string, string>> =>
  tracing === null ? {} : tracing.headers();

/** Span options of a call to another service: its host, without path and query, which contain ids and filters. */
export const callSpan = (method: string, url: URL): SpanOptions => ({
  kind: 'client',
  attributes: {
    'http.request.method': method,
    'server.address': url.hostname,
    'server.port': Number(url.port) || (url.protocol === 'http:' ? 80 : 443),
  },
});

/** Runs `work` in a span that ends with it. Costs nothing if tracing is off. */
export function trace<Result>(
  name: string,
  options: SpanOptions,
  work: (span: OpenSpan | null) => Promise<Result>,
): Promise<Result> {
  if (tracing === null) return work(null);
  const span = tracing.begin(name, options);
  return span
    .within(() => work(span))
    .then(
      (result) => {
        span.end();
        return result;
      },
      (error: unknown) => {
        span.end({ failed: true });
        throw error;
      },
    );
}
