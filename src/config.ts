import { existsSync, readFileSync } from 'node:fs';
import { parseEnv } from 'node:util';
import { join, resolve } from 'node:path';
import { parseSecretKey } from './secrets/secret-box.js';
import { DEFAULT_LIMITS, LIMIT_TABLE, type LimitName, type Limits } from './limits.js';

/** All settings, read once from the environment and passed down. */
export interface Config {
  readonly port: number;
  readonly host: string;
  /** Absent: the embedded database in `dataDir`. */
  readonly databaseUrl: string | null;
  /** PostgreSQL itself if `databaseUrl` is the address of a pooler. */
  readonly databaseDirectUrl: string | null;
  /** Standbys that serve lists. */
  readonly databaseReplicaUrls: readonly string[];
  /** A replica that lags more is skipped. */
  readonly replicaMaxLagSeconds: number;
  /** The login of requests and jobs; null: a role created at start. */
  readonly databaseRuntimeUrl: string | null;
  /** Allows requests to log in as the database's owner in production if there is no restricted login. */
  readonly allowOwnerLogin: boolean;
  /** How long the start waits for an unavailable database. */
  readonly databaseWaitSeconds: number;
  readonly dataDir: string;
  readonly demoData: boolean;
  readonly demoApiKey: string | null;
  /** Port of the demo's sandbox platforms; 0: any free port. */
  readonly sandboxPort: number;
  readonly logLevel: LogLevel;
  /** Whether each request is logged. */
  readonly logRequests: boolean;
  /** Slower statements are logged; 0: none. */
  readonly slowStatementMilliseconds: number;
  readonly production: boolean;
  readonly introspection: boolean;
  readonly playground: boolean;
  readonly jit: boolean;
  readonly poolSize: number;
  /** Maximum connections that one organisation's statements use at a time. */
  readonly maxStatementsPerOrganisation: number;
  /** Maximum concurrent requests of a process; 0: no limit. */
  readonly requestsAtOnce: number;
  /** Whether this process answers requests, runs jobs, or both. */
  readonly role: Role;
  /** Callers may enter addresses of this machine and of private networks, there without TLS. */
  readonly allowPrivateAddresses: boolean;
  /** Number of gateway processes; if more than one, the primary forks them. */
  readonly workers: number;
  /** Maximum concurrent jobs in this process. */
  readonly workerConcurrency: number;
  /** Public URL for end customers and platforms; null: the listening address. */
  readonly publicUrl: string | null;
  /** Origins of pages that may call the service; `*` for all. */
  readonly corsOrigins: readonly string[];
  /** Origins of pages that may open WebSockets, beyond the service's own. */
  readonly allowedOrigins: readonly string[];
  /** Number of proxies in front: as many entries of X-Forwarded-For are trusted. */
  readonly trustProxy: number;
  /** Base URLs that replace the platforms' usual ones, by integration type. */
  readonly platformUrls: Readonly<Record<string, string>>;
  /** Maximum share of a record type that one sync's deletion sweep may remove. */
  readonly maxDeletedShare: number;
  /** Interval of reading the list of all ids in incremental syncs, where only that list shows deletions. */
  readonly sweepHours: number;
  /**
   * How long to search for a write whose response was lost before retrying it, if no idempotency key makes a retry
   * safe.
   */
  readonly lateAnswerSeconds: number;
  /** Keys for secrets at rest: the first encrypts, all decrypt. */
  readonly secretKeys: readonly Buffer[];
  /** Folder of stored files; with S3, of files being uploaded to it. */
  readonly fileDir: string;
  /** Null: files are stored in `fileDir`. */
  readonly s3: S3Settings | null;
  readonly retention: Retention;
  /** How long to report not ready before refusing requests. */
  readonly drainSeconds: number;
  /** Separate address for health and metrics; null: metrics share the address of requests. */
  readonly metricsAddress: Address | null;
  /** Null: tracing is off. */
  readonly traces: TraceSettings | null;
  readonly limits: Limits;
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

/** Days to keep each; 0: for ever. Idempotency keys and authorisations have their own lifetimes. */
export interface Retention {
  readonly changes: number;
  readonly syncs: number;
  readonly uploads: number;
  readonly files: number;
  readonly audit: number;
  readonly deliveries: number;
}

/** A listening address. */
export interface Address {
  readonly host: string;
  readonly port: number;
}

/** A bucket of S3 or a compatible store; the SDK reads the credentials. */
export interface S3Settings {
  readonly bucket: string;
  /** Null: AWS. */
  readonly endpoint: string | null;
  readonly region: string;
  readonly forcePathStyle: boolean;
}

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

const FILE_STORES = ['local', 's3'] as const;

const MODES = ['production', 'development', 'test'] as const;
/** Wildcard addresses: valid to listen on, not as a destination. */
const UNSPECIFIED: ReadonlySet<string> = new Set(['0.0.0.0', '::']);

/** Addresses reachable only from this machine. */
const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1)$/;

const ROLES = ['all', 'gateway', 'worker'] as const;
type Role = (typeof ROLES)[number];

/** Invalid settings: all problems, one per line. */
class ConfigError extends Error {
  override readonly name = 'ConfigError';
  constructor(readonly problems: readonly string[]) {
    super(`These settings cannot be used:\n${problems.map((problem) => `  ${problem}`).join('\n')}`);
  }
}

type Parser<Value> = (text: string) => Value | Problem;
class Problem {
  constructor(readonly expected: string) {}
}

const integer =
  (min: number, max: number): Parser<number> =>
  (text) => {
    const value = /^\d{1,12}$/.test(text) ? Number(text) : NaN;
    return value >= min && value <= max ? value : new Problem(`a whole number from ${min} to ${max}`);
  };
const days = integer(0, 36_500);
const uploadDays: Parser<number> = (text) => {
  const value = days(text);
  return value instanceof Problem || value === 0 || value >= 31
    ? value
    : new Problem('31 days or more, or 0');
};
const flag: Parser<boolean> = (text) => {
  if (['true', 'on', '1', 'yes'].includes(text.toLowerCase())) return true;
  if (['false', 'off', '0', 'no'].includes(text.toLowerCase())) return false;
  return new Problem('true or false');
};
const oneOf =
  <Value extends string>(values: readonly Value[]): Parser<Value> =>
  (text) =>
    values.find((value) => value === text) ?? new Problem(`one of ${values.join(', ')}`);
const text =
  (min: number): Parser<string> =>
  (value) =>
    value.length >= min ? value : new Problem(`at least ${min} characters`);
const secretKeys: Parser<Buffer[]> = (value) => {
  const keys = value.split(',').map((one) => parseSecretKey(one.trim()));
  return keys.every((key) => key !== null)
    ? keys
    : new Problem('keys of 32 bytes in base64, separated by commas; the first one encrypts');
};
const share: Parser<number> = (value) => {
  const number = /^\d+(\.\d+)?$/.test(value) ? Number(value) : NaN;
  return number >= 0 && number <= 1 ? number : new Problem('a share from 0 to 1, such as 0.3');
};
/** Characters that a header can carry unescaped. */
const keyText: Parser<string> = (value) =>
  /^[\x21-\x7e]{24,}$/.test(value)
    ? value
    : new Problem('at least 24 printable ASCII characters, without spaces');
/** Strips the brackets that an IPv6 address has in a URL. */
const hostName: Parser<string> = (value) => value.replace(/^\[(.*)\]$/, '$1');
const bucketName: Parser<string> = (value) =>
  /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(value) ? value : new Problem('the name of a bucket');
const webUrl: Parser<string> = (value) => {
  const url = URL.canParse(value) ? new URL(value) : null;
  const isPlain = url && ['http:', 'https:'].includes(url.protocol) && url.href === url.origin + url.pathname;
  // In the form of browsers and platforms, which compare it with the registered one.
  return isPlain ? url.href.replace(/\/+$/, '') : new Problem('an address such as https://data.example.com');
};
const origins: Parser<string[]> = (value) => {
  const all = value.split(',').map((one) => one.trim());
  const isOrigin = (one: string) => URL.canParse(one) && new URL(one).origin === one;
  return all.every(isOrigin)
    ? all
    : new Problem('origins such as https://app.example.com, separated by commas');
};
const corsOrigins: Parser<string[]> = (value) => (value === '*' ? ['*'] : origins(value));
const address: Parser<Address> = (value) => {
  const [, host = '127.0.0.1', port = ''] = /^(?:(\[[\da-f:.]+\]|[\w.-]+):)?(\d{1,5})$/i.exec(value) ?? [];
  return port !== '' && Number(port) <= 65_535
    ? { host: host.replace(/[[\]]/g, ''), port: Number(port) }
    : new Problem('an address such as 0.0.0.0:9464');
};
const postgresUrl: Parser<string> = (value) => {
  const url = URL.canParse(value) ? new URL(value) : null;
  if (url && ['postgresql:', 'postgres:'].includes(url.protocol) && url.pathname.length > 1) return value;
  return new Problem('postgresql://user:password@host:5432/database');
};

const postgresUrls: Parser<string[]> = (value) => {
  const all = value.split(',').map((one) => postgresUrl(one.trim()));
  const good = all.filter((one) => typeof one === 'string');
  return good.length === all.length
    ? good
    : new Problem('addresses such as postgresql://10.0.0.6:5432/database, separated by commas');
};

/** Pairs of default and maximum: lowering the maximum also lowers the default. */
const BOUND_LIMITS: readonly (readonly [LimitName, LimitName])[] = [
  ['pageSize', 'maxPageSize'],
  ['nestedPageSize', 'maxPageSize'],
  ['take', 'maxTake'],
];

/** Every variable that is read, here or by a library; filled by reading. */
const KNOWN = new Set([
  'S3_BUCKET',
  'S3_ENDPOINT',
  'S3_REGION',
  'S3_FORCE_PATH_STYLE',
  'AWS_REGION',
  'AWS_ACCESS_KEY_ID',
  'AWS_SECRET_ACCESS_KEY',
  'AWS_SESSION_TOKEN',
]);
const PREFIXES = /^(LIMIT|RETENTION|SVC|SYNC|DEMO|S3|LOG|METRICS)_/;
/** Internal to the cluster. */
const INTERNAL = new Set(['SVC_HANDED']);

/** Names that nothing reads: any of the `.env` file, and environment variables that look like misspelt settings. */
export function unknownSettings(environment: NodeJS.ProcessEnv, envFile: readonly string[]): string[] {
  return (
    Object.keys(environment)
      // The OpenTelemetry exporter reads its other variables.
      .filter((name) => !KNOWN.has(name) && !INTERNAL.has(name) && !name.startsWith('OTEL_'))
      .map((name) => ({ name, near: [...KNOWN].find((known) => isOneEdit(name, known)) }))
      .filter(({ name, near }) => near !== undefined || PREFIXES.test(name) || envFile.includes(name))
      .map(
        ({ name, near }) => `${name} is not a setting${near === undefined ? '' : `: did you mean ${near}?`}`,
      )
  );
}

/** Whether one insertion, deletion, substitution or swap turns one into the other. */
function isOneEdit(left: string, right: string): boolean {
  if (left.length < 4 || Math.abs(left.length - right.length) > 1) return false;
  let start = 0;
  while (start < left.length && left[start] === right[start]) start += 1;
  const rest = (text: string, from: number) => text.slice(from);
  return (
    rest(left, start + 1) === rest(right, start + 1) ||
    rest(left, start + 1) === rest(right, start) ||
    rest(left, start) === rest(right, start + 1) ||
    (left[start] === right[start + 1] &&
      left[start + 1] === right[start] &&
      rest(left, start + 2) === rest(right, start + 2))
  );
}

/**
 * Reads the settings. Throws ConfigError that names every bad one. An empty variable counts as absent. Each of the
 * integration types has an address, `<TYPE>_URL`.
 */
export function readConfig(environment: NodeJS.ProcessEnv, integrationTypes: readonly string[]): Config {
  const problems: string[] = [];
  const read = <Value>(variable: string, parse: Parser<Value>, absent: Value): Value => {
    KNOWN.add(variable);
    const given = environment[variable]?.trim();
    if (given === undefined || given === '') return absent;
    const value = parse(given);
    if (!(value instanceof Problem)) return value;
    // A value may be a secret: it is not repeated.
    problems.push(`${variable} must be ${value.expected}`);
    return absent;
  };

  const limits = { ...DEFAULT_LIMITS } as Record<LimitName, number>;
  for (const [name, limit] of Object.entries(LIMIT_TABLE) as [LimitName, { variable: string }][]) {
    const lowest = name.endsWith('PerMinute') || name === 'heldRowBytes' ? 0 : 1;
    limits[name] = read(limit.variable, integer(lowest, 1_000_000_000), DEFAULT_LIMITS[name]);
  }
  for (const [name, bound] of BOUND_LIMITS) {
    const [given, most] = [LIMIT_TABLE[name].variable, LIMIT_TABLE[bound].variable];
    if (limits[name] <= limits[bound]) continue;
    if (environment[given]?.trim())
      problems.push(`${given} must be at most ${limits[bound]}, which is ${most}`);
    limits[name] = limits[bound];
  }
  const databaseUrl = read<string | null>('DATABASE_URL', postgresUrl, null);
  const databaseDirectUrl = read<string | null>('DATABASE_DIRECT_URL', postgresUrl, null);
  if (databaseDirectUrl !== null && databaseUrl === null) {
    problems.push('DATABASE_URL is needed with DATABASE_DIRECT_URL: the address of the pooler');
  }
  const databaseReplicaUrls = read<string[]>('DATABASE_REPLICA_URL', postgresUrls, []);
  if (databaseReplicaUrls.length > 0 && databaseUrl === null) {
    problems.push('DATABASE_URL is needed with DATABASE_REPLICA_URL: the address of their primary');
  }
  const mode = read('NODE_ENV', oneOf(MODES), 'development');
  const production = mode === 'production';
  const host = read('HOST', hostName, '127.0.0.1');
  const publicUrl = read<string | null>('PUBLIC_URL', webUrl, null);
  if (production && publicUrl === null && UNSPECIFIED.has(host)) {
    problems.push(
      `PUBLIC_URL is needed in production with HOST=${host}, which is an address nobody can open`,
    );
  }
  const dataDir = resolve(read('DATA_DIR', text(1), '.data'));
  const readS3 = (): S3Settings => {
    const bucket = read<string | null>('S3_BUCKET', bucketName, null);
    const endpoint = read<string | null>('S3_ENDPOINT', webUrl, null);
    if (!environment['S3_BUCKET']?.trim()) problems.push('S3_BUCKET is needed with FILE_STORE=s3');
    return {
      bucket: bucket ?? '',
      endpoint,
      region: read('S3_REGION', text(1), read('AWS_REGION', text(1), 'us-east-1')),
      forcePathStyle: read('S3_FORCE_PATH_STYLE', flag, endpoint !== null),
    };
  };
  const collectors = ['OTEL_EXPORTER_OTLP_ENDPOINT', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'].map((variable) =>
    read<string | null>(variable, webUrl, null),
  );
  const isTraced =
    collectors.some((url) => url !== null) &&
    !read('OTEL_SDK_DISABLED', flag, false) &&
    read('OTEL_TRACES_EXPORTER', oneOf(['otlp', 'none']), 'otlp') === 'otlp';
  const readTraces = (): TraceSettings => ({
    sampler: read('OTEL_TRACES_SAMPLER', oneOf(SAMPLERS), 'parentbased_always_on'),
    ratio: read('OTEL_TRACES_SAMPLER_ARG', share, 1),
    batches: {
      scheduledDelayMillis: read('OTEL_BSP_SCHEDULE_DELAY', integer(1, 600_000), 5000),
      maxQueueSize: read('OTEL_BSP_MAX_QUEUE_SIZE', integer(1, 1_000_000), 2048),
      maxExportBatchSize: read('OTEL_BSP_MAX_EXPORT_BATCH_SIZE', integer(1, 1_000_000), 512),
      exportTimeoutMillis: read('OTEL_BSP_EXPORT_TIMEOUT', integer(1, 600_000), 30_000),
    },
  });
  const poolSize = read('POOL_SIZE', integer(1, 1000), 10);
  const port = read('PORT', integer(0, 65_535), 4000);
  const metricsAddress = read<Address | null>('METRICS_ADDRESS', address, null);
  const isNextFree = port > 0 && port < 65_535 && metricsAddress?.port !== port + 1;
  const config: Config = {
    port,
    host,
    databaseUrl,
    databaseDirectUrl,
    databaseReplicaUrls,
    replicaMaxLagSeconds: read('DATABASE_REPLICA_MAX_LAG_SECONDS', integer(1, 3600), 10),
    databaseRuntimeUrl: read<string | null>('DATABASE_RUNTIME_URL', postgresUrl, null),
    allowOwnerLogin: read('ALLOW_OWNER_LOGIN', flag, false),
    databaseWaitSeconds: read('DATABASE_WAIT_SECONDS', integer(0, 86_400), 60),
    dataDir,
    demoData: read('DEMO_DATA', flag, databaseUrl === null && !production),
    demoApiKey: read<string | null>('DEMO_API_KEY', keyText, null),
    sandboxPort: read('SANDBOX_PORT', integer(0, 65_535), isNextFree ? port + 1 : 0),
    logLevel: read('LOG_LEVEL', oneOf(LOG_LEVELS), 'info'),
    logRequests: read('LOG_REQUESTS', flag, true),
    slowStatementMilliseconds: read('LOG_SLOW_STATEMENT_MS', integer(0, 3_600_000), 1000),
    production,
    introspection: read('INTROSPECTION', flag, !production),
    playground: read('PLAYGROUND', flag, !production),
    jit: read('GRAPHQL_JIT', flag, true),
    poolSize,
    maxStatementsPerOrganisation: read(
      'MAX_STATEMENTS_PER_ORGANISATION',
      integer(1, 1000),
      Math.max(1, poolSize - 2),
    ),
    requestsAtOnce: read('REQUESTS_AT_ONCE', integer(0, 1000), 8),
    role: read('ROLE', oneOf(ROLES), 'all'),
    allowPrivateAddresses: read('ALLOW_PRIVATE_ADDRESSES', flag, !production && LOOPBACK.test(host)),
    workers: read('WORKERS', integer(1, 64), 1),
    workerConcurrency: read('WORKER_CONCURRENCY', integer(1, 100), 10),
    publicUrl,
    corsOrigins: read('CORS_ORIGINS', corsOrigins, []),
    allowedOrigins: read('ALLOWED_ORIGINS', origins, []),
    trustProxy: read('TRUST_PROXY', integer(0, 10), 0),
    platformUrls: Object.fromEntries(
      integrationTypes.flatMap((type) => {
        const url = read<string | null>(urlVariable(type), webUrl, null);
        return url === null ? [] : [[type, url]];
      }),
    ),
    maxDeletedShare: read('SYNC_MAX_DELETED_SHARE', share, 0.3),
    sweepHours: read('SYNC_SWEEP_HOURS', integer(0, 8760), 24),
    lateAnswerSeconds: read('LATE_ANSWER_SECONDS', integer(0, 600), 10),
    secretKeys: read('SECRET_KEYS', secretKeys, []),
    fileDir: resolve(read('FILE_DIR', text(1), join(dataDir, 'files'))),
    s3: read('FILE_STORE', oneOf(FILE_STORES), 'local') === 's3' ? readS3() : null,
    retention: {
      changes: read('RETENTION_CHANGES_DAYS', days, 90),
      syncs: read('RETENTION_SYNCS_DAYS', days, 365),
      // Idempotency keys are deleted with their upload, and are valid for 30 days.
      uploads: read('RETENTION_UPLOADS_DAYS', uploadDays, 365),
      files: read('RETENTION_FILES_DAYS', days, 365),
      audit: read('RETENTION_AUDIT_DAYS', days, 365),
      deliveries: read('RETENTION_DELIVERIES_DAYS', days, 30),
    },
    metricsAddress,
    traces: isTraced ? readTraces() : null,
    drainSeconds: read('DRAIN_SECONDS', integer(0, 300), production ? 5 : 0),
    limits,
  };
  if (problems.length > 0) throw new ConfigError(problems);
  return config;
}

/** `SVC_SANDBOX` belongs to the service: its variable is SANDBOX_URL. */
const urlVariable = (integrationType: string): string => `${integrationType.replace(/^SVC_/, '')}_URL`;

/** Loads `.env` of the working folder into the environment; existing variables win. Returns its names. */
export function loadEnvFile(): string[] {
  if (!existsSync('.env')) return [];
  const names = Object.keys(parseEnv(readFileSync('.env', 'utf8')));
  process.loadEnvFile('.env');
  return names;
}
