import { flag, integer, oneOf, share, webUrl } from './parsers.js';
import type { Variables } from './variables.js';

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

const SAMPLERS = [
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
  'always_on',
  'always_off',
  'traceidratio',
] as const;

/** Settings of logs and traces. */
export interface ObservabilitySettings {
  readonly logLevel: LogLevel;
  /** Whether each request is logged. */
  readonly logRequests: boolean;
  /** Slower statements are logged; 0: none. */
  readonly slowStatementMilliseconds: number;
  /** Null: tracing is off. */
  readonly traces: TraceSettings | null;
}

/** Trace settings in OpenTelemetry's terms; the exporter reads its own destination. */
export interface TraceSettings {
  readonly sampler: (typeof SAMPLERS)[number];
  readonly ratio: number;
  readonly batches: {
    readonly scheduledDelayMillis: number;
    readonly maxQueueSize: number;
    readonly maxExportBatchSize: number;
    readonly exportTimeoutMillis: number;
  };
}

export function readObservability(variables: Variables): ObservabilitySettings {
  const collectors = ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'].map((variable) =>
    variables.read<string | null>(variable, webUrl, null),
  );
  const isTraced =
    collectors.some((url) => url !== null) &&
    !variables.read('OTEL_SDK_DISABLED', flag, false) &&
    variables.read('OTEL_TRACES_EXPORTER', oneOf(['otlp', 'none']), 'otlp') === 'otlp';
  return {
    logLevel: variables.read('LOG_LEVEL', oneOf(LOG_LEVELS), 'info'),
    logRequests: variables.read('LOG_REQUESTS', flag, true),
    slowStatementMilliseconds: variables.read('LOG_SLOW_STATEMENT_MS', integer(0, 3_600_000), 1000),
    traces: isTraced ? readTraces(variables) : null,
  };
}

const readTraces = (variables: Variables): TraceSettings => ({
  sampler: variables.read('OTEL_TRACES_SAMPLER', oneOf(SAMPLERS), 'parentbased_always_on'),
  ratio: variables.read('OTEL_TRACES_SAMPLER_ARG', share, 1),
  batches: {
    scheduledDelayMillis: variables.read('OTEL_BSP_SCHEDULE_DELAY', integer(1, 600_000), 5000),
    maxQueueSize: variables.read('OTEL_BSP_MAX_QUEUE_SIZE', integer(1, 1_000_000), 2048),
    maxExportBatchSize: variables.read('OTEL_BSP_MAX_EXPORT_BATCH_SIZE', integer(1, 1_000_000), 512),
    exportTimeoutMillis: variables.read('OTEL_BSP_EXPORT_TIMEOUT', integer(1, 600_000), 30_000),
  },
});
