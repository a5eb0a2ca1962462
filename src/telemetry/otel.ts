import {
  type Context,
  context,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { TraceSettings } from '../config/observability.js';
import { type OpenSpan, setTracing, type SpanOptions, type Tracing } from './traces.js';

/** A collector that does not answer must not delay the end of the process. */
const FLUSH_MS = 2000;

const KINDS = { server: SpanKind.SERVER, client: SpanKind.CLIENT, consumer: SpanKind.CONSUMER };

/**
 * Sends traces by OTLP over HTTP, in batches in the background: traces that the collector refuses are dropped. The
 * exporter reads its destination and headers from the `OTEL_EXPORTER_OTLP_*` variables. Returns the function that
 * flushes and stops it.
 */
export function startTracing(settings: TraceSettings): () => Promise<void> {
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'unified-financial-data-service' }).merge(
      detectResources({ detectors: [envDetector] }),
    ),
    sampler: samplerOf(settings),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter(), ...settings.batches })],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  const tracer = provider.getTracer('unified-financial-data-service');
  const begin = (name: string, { kind, attributes, caller, causedBy }: SpanOptions): OpenSpan => {
    const parent = caller ? propagation.extract(ROOT_CONTEXT, caller) : context.active();
    const cause = causedBy ? contextOf({ traceparent: causedBy }) : null;
    const span = tracer.startSpan(
      name,
      {
        kind: kind ? KINDS[kind] : SpanKind.INTERNAL,
        ...(attributes ? { attributes } : {}),
        ...(cause ? { links: [{ context: cause }] } : {}),
        ...(causedBy === undefined ? {} : { root: true }),
      },
      parent,
    );
    return openSpan(span, trace.setSpan(parent, span));
  };
  const tracing: Tracing = {
    begin,
    headers: () => {
      const headers: Record<string, string> = {};
      propagation.inject(context.active(), headers);
      return headers;
    },
  };
  setTracing(tracing);
  return async () => {
    setTracing(null);
    let late: NodeJS.Timeout | undefined;
    const patience = new Promise<void>((resolve) => (late = setTimeout(resolve, FLUSH_MS)));
    await Promise.race([provider.shutdown().catch(() => undefined), patience]);
    clearTimeout(late);
    context.disable();
    propagation.disable();
  };
}

function openSpan(span: Span, active: Context): OpenSpan {
  return {
    traceId: span.spanContext().traceId,
    set: (attributes) => void span.setAttributes(attributes),
    within: (work) => context.with(active, work),
    end: (outcome) => {
      if (outcome?.failed) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    },
  };
}

const contextOf = (headers: Readonly<Record<string, string>>) =>
  trace.getSpanContext(propagation.extract(ROOT_CONTEXT, headers)) ?? null;

/** The samplers that OTEL_TRACES_SAMPLER names. */
function samplerOf({ sampler, ratio }: TraceSettings): Sampler {
  const root = sampler.endsWith('always_off')
    ? new AlwaysOffSampler()
    : sampler.endsWith('traceidratio')
      ? new TraceIdRatioBasedSampler(ratio)
      : new AlwaysOnSampler();
  return sampler.startsWith('parentbased_') ? new ParentBasedSampler({ root }) : root;
}
