/** What a span says of its work: never a secret, content of records, or a value of a statement. */
type Attributes = Readonly<Record<string, string | number | boolean>>;

export interface SpanOptions {
  readonly kind?: 'server' | 'client' | 'consumer';
  readonly attributes?: Attributes;
  /** Headers of who called, with the W3C context of theirs. */
  readonly caller?: Readonly<Record<string, unknown>>;
  /** The `traceparent` of what caused this work, which is a trace of its own. */
  readonly causedBy?: string | null;
}

/** Work that is traced while it is under way. */
export interface OpenSpan {
  readonly traceId: string;
  set(attributes: Attributes): void;
  /** Runs what belongs to it; spans begun there are below it. */
  within<Result>(work: () => Result): Result;
  end(outcome?: { readonly failed: boolean }): void;
}

/** What makes spans: see src/otel.ts, which is loaded where traces are wanted. */
export interface Tracing {
  begin(name: string, options: SpanOptions): OpenSpan;
  /** Headers that carry the context of the work under way. */
  headers(): Readonly<Record<string, string>>;
}

let tracing: Tracing | null = null;

/** Traces from now on; null ends it. */
export function setTracing(made: Tracing | null): void {
  tracing = made;
}

/** A span that its caller ends; null where nothing is traced. */
export const beginSpan = (name: string, options: SpanOptions): OpenSpan | null =>
  tracing === null ? null : tracing.begin(name, options);

/** Whether spans are made, for who would prepare something for them. */
export const isTraced = (): boolean => tracing !== null;

/** The context of the work under way, for a call to another service; empty where nothing is traced. */
export const traceHeaders = (): Readonly<Record<string, string>> =>
  tracing === null ? {} : tracing.headers();

/** What the span of a call to another service says: where it goes, without path and query, which have ids and filters. */
export const callSpan = (method: string, url: URL): SpanOptions => ({
  kind: 'client',
  attributes: {
    'http.request.method': method,
    'server.address': url.hostname,
    'server.port': Number(url.port) || (url.protocol === 'http:' ? 80 : 443),
  },
});

/** Runs `work` in a span that ends with it. Costs nothing where nothing is traced. */
export function traced<Result>(
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
