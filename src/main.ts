import { type Config, readConfig } from './config/config.js';
import { loadEnvFile } from './config/env-file.js';
import { unusedBucket } from './config/files.js';
import { ignoredParameters } from './config/ignored-parameters.js';
import { unknownSettings } from './config/unknown-settings.js';
import { databaseError, isOutage } from './db/database-error.js';
import { AppError } from './errors.js';
import { explainFailure } from './cli/explain-failure.js';
import type { Logger } from './telemetry/log.js';
import type { Service } from './start/start.js';

const HELP = `Runs the unified financial data service.

  npm start            GraphQL and REST on http://127.0.0.1:4000, with an embedded PostgreSQL and demo data
  PORT=5000 npm start  settings come from the environment or a .env file; see the table in the README
`;

/** Flushes the remaining traces. */
let stopTracing = async (): Promise<void> => undefined;

/** Ctrl-C reaches both npm and the service, and npm forwards its own: a second signal this soon is a copy. */
const COPY_MS = 2000;
/** Each stop step has its own limits; a hung one must not keep the process alive. */
const PATIENCE_MS = 20_000;

/**
 * A second signal does not wait for requests to finish, but for the database. A signal during the start waits for its
 * end, so that no database is left running, but not for a database that does not answer.
 */
function stopOnSignals(
  starting: Promise<Service>,
  { drainSeconds }: Config,
  stopping: AbortController,
): void {
  let firstAt: number | null = null;
  const hurry = new AbortController();
  const stop = (signal: NodeJS.Signals) => {
    if (firstAt !== null) {
      if (performance.now() - firstAt > COPY_MS) hurry.abort();
      return;
    }
    firstAt = performance.now();
    process.stdout.write(`\n${signal}: stopping\n`);
    stopping.abort();
    setTimeout(() => process.exit(1), drainSeconds * 1000 + PATIENCE_MS).unref();
    // A user who presses Ctrl-C has no load balancer in front.
    const how = { drainSeconds: signal === 'SIGTERM' ? drainSeconds : 0, hurry: hurry.signal };
    starting
      .then(
        (service) => service.stop(how),
        (error: unknown) => (isUnanswered(error) ? undefined : fail(error)),
      )
      .then(() => stopTracing())
      .then(
        () => process.exit(hurry.signal.aborted ? 1 : 0),
        (error: unknown) => fail(error),
      );
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
  // The terminal has closed.
  process.on('SIGHUP', stop);
}

/** Whether a start failed because no database answered, as when it is stopped while waiting for one. */
const isUnanswered = (error: unknown): boolean => isOutage(databaseError(error));

function fail(error: unknown): never {
  process.stderr.write(`${explainFailure(error)}\n`);
  process.exit(1);
}

function greeting(service: Service, { publicUrl, playground }: Config): string {
  const health = service.metricsUrl ? `  Health, metrics ${service.metricsUrl}` : null;
  if (!service.app) return `${['Running jobs (ROLE=worker)', health].filter(Boolean).join('\n')}\n`;
  const url = publicUrl ?? service.app.url;
  const key = service.demoApiKey;
  const lines = [`Unified Financial Data Service at ${url}`, ''];
  if (key) lines.push(`  Demo API key   ${key}`);
  lines.push(`  ${playground ? 'Playground' : 'GraphQL   '}     ${url}/graphql`);
  if (health) lines.push(health);
  if (service.sandboxUrl) lines.push(`  Sandbox        ${service.sandboxUrl}`);
  if (service.needsFirstKey) {
    lines.push('', '  There is no API key yet. Create an organisation and its first key:');
    lines.push('    npm run organisations -- create "My company"');
    lines.push(
      '    npm run keys -- create --organisation "My company" --name first --scopes read,write,integrations:secrets',
    );
  }
  lines.push('', '  A first request:');
  // Behind the public address may be a proxy that drops headers with underscores, as nginx does.
  const header = publicUrl === null ? 'api_key:' : 'Authorization: Bearer';
  lines.push(`    curl -g -H '${header} ${key ?? 'YOUR_KEY'}' '${url}/v3/accounting/accounts?limit=2'`, '');
  return `${lines.join('\n')}\n`;
}

async function main(): Promise<void> {
  // After the terminal has closed, output is lost; requests and the database still shut down in order.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  if (process.argv.includes('--help')) {
    process.stdout.write(HELP);
    return;
  }
  const [argument] = process.argv.slice(2);
  if (argument !== undefined) {
    throw new AppError(
      'invalid-params',
      `npm start does not accept the argument ${argument}: settings are environment variables, such as PORT=5000 npm start`,
    );
  }
  const envFile = loadEnvFile();
  const [{ integrationTypes }, { createLog }, { handedOver, serveHanded }] = await Promise.all([
    import('./connectors/index.js'),
    import('./telemetry/log.js'),
    import('./cluster.js'),
  ]);
  const config = readConfig(process.env, integrationTypes);
  const log = createLog(config.logLevel);
  const handed = handedOver();
  if (config.traces) stopTracing = (await import('./telemetry/otel.js')).startTracing(config.traces);
  if (handed) await serveHanded(config, handed, { log, stopTracing });
  else {
    const warnings = [
      ...unknownSettings(process.env, envFile),
      ...ignoredParameters(process.env),
      ...unusedBucket(process.env),
    ];
    for (const line of warnings) process.stderr.write(`Warning: ${line}\n`);
    await start(config, log);
  }
}

async function start(config: Config, log: Logger): Promise<void> {
  const { startService } = await import('./start/start.js');
  const stopping = new AbortController();
  const starting = startService(config, log, {
    tell: (line) => process.stdout.write(`${line}\n`),
    signal: stopping.signal,
  });
  stopOnSignals(starting, config, stopping);
  const service = await starting.catch((error: unknown) => {
    if (stopping.signal.aborted && isUnanswered(error)) return null;
    throw error;
  });
  if (service) process.stdout.write(greeting(service, config));
}

main().catch(fail);
