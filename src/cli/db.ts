import { createInterface } from 'node:readline';
import { AppError, codeOf } from '../errors.js';
import { createGroup, runProgram, withOpenDatabase } from './command.js';

/** PostgreSQL's error for a missing right. */
const NOT_ALLOWED = '42501';

const program = createGroup('db', 'Manages the tables of the database.');

program
  .command('migrate')
  .description('applies pending migrations, as `npm start` also does')
  .action(migrateDatabase);

program
  .command('status')
  .description('shows which migrations are pending, without changing anything')
  .addHelpText(
    'after',
    '\nExit code: 0 if every migration is applied, 2 if some are pending, 1 if the database is newer than this build or damaged.',
  )
  .action(status);

program
  .command('diff')
  .description('shows the SQL that would bring the database in line with the models in prisma/')
  .addHelpText(
    'after',
    '\nExit code: 0 if there is no difference, 2 if there is one, 1 if it cannot be determined.',
  )
  .action(diff);

program
  .command('reset')
  .description('drops everything in the database, then recreates the tables')
  .option('--yes', 'do not ask for confirmation')
  .option('--production', 'allow it with NODE_ENV=production; requires --yes')
  .action(reset);

void runProgram(program);

async function migrateDatabase(): Promise<void> {
  const [{ migrate }, { refreshDataViews }] = await Promise.all([
    import('../db/migrations/index.js'),
    import('../data/refresh.js'),
  ]);
  const applied = await withOpenDatabase('attach', async ({ opened, config }) => {
    const names = await migrate(opened.url);
    await grantAgain(opened.url, config.databaseRuntimeUrl);
    await refreshDataViews(opened.url);
    return names;
  });
  process.stdout.write(
    applied.length === 0
      ? 'Nothing to do: every migration is applied.\n'
      : `Applied:\n${applied.map((name) => `  ${name}\n`).join('')}`,
  );
}

/**
 * The rights of requests and jobs, as a start grants them: migrations make functions anew, which processes that run
 * beside this need. The role is made by the first start.
 */
async function grantAgain(ownerUrl: string, runtimeUrl: string | null): Promise<void> {
  const [lock, roles, { grantRights }, { runtimeRoleName }, { default: pg }] = await Promise.all([
    import('../db/migrations/lock.js'),
    import('../db/runtime/find-role.js'),
    import('../db/runtime/rights.js'),
    import('../db/runtime/role-name.js'),
    import('pg'),
  ]);
  await lock.withMigrationLock(ownerUrl, async (owner) => {
    const name =
      runtimeUrl === null
        ? runtimeRoleName(owner.database ?? '')
        : new pg.Client({ connectionString: runtimeUrl }).user;
    const role = name ? await roles.findRole(owner, name) : undefined;
    // Applied to the owner, it would revoke rights.
    if (role?.isMighty) warn(roles.tooMighty(role.name));
    else if (role) await grantRights(owner, role.name).catch(warnIfRefused);
  });
}

/** A start also continues without these rights if requests may log in as the owner. */
function warnIfRefused(error: unknown): void {
  if (codeOf(error) !== NOT_ALLOWED) throw error;
  warn((error as Error).message);
}

const warn = (why: string) =>
  process.stderr.write(`Warning: the login of requests was not granted its rights: ${why}\n`);

const STATES = {
  pending: 'Pending',
  missing: 'Applied by a newer build, which this one does not know',
  failed: 'Failed while they were applied',
  edited: 'Changed after they were applied',
} as const;

async function status(): Promise<void> {
  const { migrationStatus } = await import('../db/migrations/index.js');
  const found = await withOpenDatabase('attach', ({ opened }) => migrationStatus(opened.url));
  const { pending, ...damage } = found;
  const isDamaged = Object.values(damage).some(({ length }) => length > 0);
  for (const [state, title] of Object.entries(STATES)) {
    const names = found[state as keyof typeof STATES];
    if (names.length > 0) process.stdout.write(`${title}:\n${names.map((name) => `  ${name}\n`).join('')}`);
  }
  if (pending.length === 0 && !isDamaged) process.stdout.write('Every migration is applied.\n');
  process.exitCode = isDamaged ? 1 : pending.length > 0 ? 2 : 0;
}

async function diff(): Promise<void> {
  const { diffSchema } = await import('../db/migrations/index.js');
  const sql = await withOpenDatabase('attach', ({ opened }) => diffSchema(opened.url));
  if (sql === null) {
    process.stderr.write('The database lacks nothing that the models in prisma/ say.\n');
    return;
  }
  process.stdout.write(`${sql}\n`);
  process.exitCode = 2;
}

interface ResetOptions {
  readonly yes?: boolean;
  readonly production?: boolean;
}

async function reset(options: ResetOptions): Promise<void> {
  const [
    { migrate, resetDatabase },
    { dropDemoSandbox },
    { dropDataUsers },
    { withClient },
    { refuseInUse },
  ] = await Promise.all([
    import('../db/migrations/index.js'),
    import('../demo/sandbox.js'),
    import('../data/users.js'),
    import('../db/pool/client.js'),
    import('./database.js'),
  ]);
  // Taking ownership refuses an embedded database that a service or a command uses.
  await withOpenDatabase('own', async ({ opened, config }) => {
    if (config.production && !(options.yes && options.production)) {
      throw new AppError('forbidden', 'NODE_ENV is production: this needs --yes and --production');
    }
    if (!opened.embedded) await refuseInUse(opened.url);
    const { pathname, host } = new URL(opened.url);
    const name = opened.embedded
      ? `the embedded database in ${config.dataDir}`
      : `the database ${decodeURIComponent(pathname.slice(1))} at ${host}`;
    if (!options.yes && !(await isConfirmed(name))) {
      process.stdout.write('Nothing was changed.\n');
      process.exitCode = 1;
      return;
    }
    await dropDemoSandbox(opened.url);
    await withClient({ connectionString: opened.url }, dropDataUsers);
    await resetDatabase(opened.url);
    const applied = await migrate(opened.url);
    process.stdout.write(`Dropped everything in ${name}, then applied:\n`);
    process.stdout.write(applied.map((migration) => `  ${migration}\n`).join(''));
    process.stdout.write(
      'It holds no organisation and no API key; the sandbox platforms of the demo begin anew.\n',
    );
  });
}

async function isConfirmed(name: string): Promise<boolean> {
  if (!process.stdin.isTTY) {
    throw new AppError('forbidden', `this drops everything in ${name}; without a terminal it needs --yes`);
  }
  process.stdout.write(`This drops everything in ${name}: organisations, keys, records. Type yes to go on: `);
  // No terminal interface: it would intercept Ctrl-C.
  for await (const line of createInterface({ input: process.stdin, terminal: false })) {
    return line.trim() === 'yes';
  }
  return false;
}
