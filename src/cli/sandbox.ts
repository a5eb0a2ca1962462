import { InvalidArgumentError } from 'commander';
import { loadEnvFile } from '../config/env-file.js';
import type { SandboxCompany } from '../sandbox/index.js';
import { type Platform, PLATFORM_TITLES, PLATFORMS } from '../sandbox/platform.js';
import { portArgument, wholeNumberArgument } from './arguments.js';
import { createProgram, runProgram, untilEnded } from './command.js';

interface Options {
  readonly port: number;
  readonly host: string;
  readonly dataDir: string;
  readonly records?: number;
  readonly seed: number;
  readonly platforms: readonly Platform[];
  readonly expiresIn: number;
  readonly refreshGrace: number;
  readonly perMinute: number;
  readonly concurrent: number;
  readonly redirectUri: readonly string[];
  readonly idempotency: boolean;
  readonly control: boolean;
}

const program = createProgram(
  'sandbox',
  'Runs the sandbox platforms of docs/sandbox.md, until Ctrl-C. SANDBOX_DATABASE_URL selects an external PostgreSQL.',
);
program
  .option('--port <number>', 'port to listen on', portArgument, 4100)
  .option('--host <address>', 'address to listen on', '127.0.0.1')
  .option('--data-dir <folder>', 'folder of the embedded database', '.data/sandbox')
  .option(
    '--records <number>',
    'also create a company with about this many records',
    wholeNumberArgument(1, 5_000_000),
  )
  .option('--seed <number>', 'random seed for that company', wholeNumberArgument(1, 2 ** 31 - 1), 1)
  .option('--platforms <list>', 'platforms on which that company has accounts', platformsArgument, [
    ...PLATFORMS,
  ])
  .option('--expires-in <seconds>', 'lifetime of access tokens', wholeNumberArgument(1, 86_400), 1800)
  .option(
    '--refresh-grace <seconds>',
    'time for which a used refresh token still works',
    wholeNumberArgument(0, 86_400),
    0,
  )
  .option(
    '--per-minute <calls>',
    'calls per minute and account, 0 for no limit',
    wholeNumberArgument(0, 1_000_000),
    600,
  )
  .option(
    '--concurrent <calls>',
    'concurrent calls per account, 0 for no limit',
    wholeNumberArgument(0, 10_000),
    10,
  )
  .option(
    '--redirect-uri <uri>',
    'additional redirect URI of the demo clients; repeatable',
    collect,
    [] as string[],
  )
  .option('--no-idempotency', 'ignore the header Idempotency-Key')
  .option('--no-control', 'disable /_sandbox and faults')
  .action(run);

void runProgram(program);

async function run(options: Options): Promise<void> {
  loadEnvFile();
  const stop = untilEnded();
  const [{ openSandboxDatabase }, { createLog }, { DEMO_ACCOUNTS, SHARED_CLIENT, startSandbox }] =
    await Promise.all([
      import('./sandbox-database.js'),
      import('../telemetry/log.js'),
      import('../sandbox/index.js'),
    ]);
  const database = await openSandboxDatabase(options.dataDir);
  try {
    const { perMinute, concurrent, redirectUri, idempotency, control, expiresIn, refreshGrace } = options;
    const started = Date.now();
    const sandbox = await startSandbox({
      databaseUrl: database.url,
      host: options.host,
      port: options.port,
      companies: [...DEMO_ACCOUNTS, ...extraCompany(options)],
      limits: { perMinute, concurrent },
      redirectUris: redirectUri,
      ...{ idempotency, control, expiresIn, refreshGrace },
      log: createLog('warn'),
    });
    const seconds = ((Date.now() - started) / 1000).toFixed(1);
    process.stdout.write(
      `The sandbox platforms are at ${sandbox.url} (after ${seconds} s), Ctrl-C ends them\n`,
    );
    for (const platform of PLATFORMS) {
      const { clientId, clientSecret } = sandbox.clients[platform];
      const access = `client_id ${clientId}, client_secret ${clientSecret}`;
      process.stdout.write(
        `  ${PLATFORM_TITLES[platform].padEnd(18)} ${sandbox.url}/${platform}  ${access}\n`,
      );
    }
    const { clientId, clientSecret } = SHARED_CLIENT;
    process.stdout.write(
      `  ${'all of them'.padEnd(18)} client_id ${clientId}, client_secret ${clientSecret}\n`,
    );
    await stop;
    await sandbox.stop();
  } finally {
    await database.stop();
  }
}

function extraCompany({ records, seed, platforms }: Options): SandboxCompany[] {
  if (records === undefined) return [];
  const id = `company-${records}-${seed}`;
  return [{ id, name: `Company of ${records} records`, seed, trade: 'furniture', records, platforms }];
}

function platformsArgument(text: string): Platform[] {
  const platforms = text.split(',').map((name) => {
    const platform = PLATFORMS.find((one) => one === name.trim());
    if (platform) return platform;
    throw new InvalidArgumentError(`there is no platform "${name}"; there are ${PLATFORMS.join(', ')}`);
  });
  return [...new Set(platforms)];
}

function collect(uri: string, others: string[]): string[] {
  if (URL.canParse(uri)) return [...others, uri];
  throw new InvalidArgumentError('it must be a URI such as https://service.example/oauth/callback');
}
