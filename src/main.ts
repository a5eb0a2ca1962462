import { handedOver, serveHanded } from './cluster.js';
import { type Config, loadEnvFile, readConfig } from './config.js';
import { explainFailure } from './failure.js';
import { createLog } from './log.js';
import { type Service, startService } from './start.js';

const HELP = `Runs the unified financial data service.

  npm start            GraphQL and REST on http://127.0.0.1:4000, with an embedded PostgreSQL and demo data
  PORT=5000 npm start  settings come from the environment or a .env file; the README has the table
`;

/**
 * A second signal does not wait for requests to finish. One that comes during the start waits for its end, so that the
 * database does not stay behind.
 */
function stopOnSignals(starting: Promise<Service>): void {
  let stopping = false;
  const stop = (signal: NodeJS.Signals) => {
    if (stopping) process.exit(1);
    stopping = true;
    process.stdout.write(`\n${signal}: stopping\n`);
    // A request that hangs must not keep the process.
    setTimeout(() => process.exit(1), 30_000).unref();
    starting
      .then((service) => service.stop())
      .then(
        () => process.exit(0),
        (error: unknown) => fail(error),
      );
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
}

function fail(error: unknown): never {
  process.stderr.write(`${explainFailure(error)}\n`);
  process.exit(1);
}

function greeting(service: Service): string {
  if (!service.app) return 'Running jobs (ROLE=worker)\n';
  const { url } = service.app;
  const key = service.demoApiKey;
  const lines = [`Unified Financial Data Service at ${url}`, ''];
  if (key) lines.push(`  Demo API key   ${key}`);
  lines.push(`  Playground     ${url}/graphql`);
  if (service.sandboxUrl) lines.push(`  Sandbox        ${service.sandboxUrl}`);
  if (service.needsFirstKey) {
    lines.push('', '  There is no API key yet. Make an organisation and its first key:');
    lines.push('    npm run organisations -- create "My company"');
    lines.push('    npm run keys -- create --organisation "My company" --name first');
  }
  lines.push('', '  A first request:');
  lines.push(`    curl -g -H 'api_key: ${key ?? 'YOUR_KEY'}' '${url}/v3/accounting/accounts?limit=2'`, '');
  return `${lines.join('\n')}\n`;
}

if (process.argv.includes('--help')) process.stdout.write(HELP);
else {
  try {
    loadEnvFile();
    const config = readConfig(process.env);
    const handed = handedOver();
    if (handed) await serveHanded(config, handed, createLog(config.logLevel));
    else await start(config);
  } catch (error) {
    fail(error);
  }
}

async function start(config: Config): Promise<void> {
  const starting = startService(config, createLog(config.logLevel), {
    tell: (line) => process.stdout.write(`${line}\n`),
  });
  stopOnSignals(starting);
  process.stdout.write(greeting(await starting));
}
