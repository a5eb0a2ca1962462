import { InvalidArgumentError } from 'commander';
import type pg from 'pg';
import type * as DataUsers from '../data/users.js';
import { getOrganisation } from '../operations/organisations/organisations.js';
import { companiesArgument, nameArgument, wholeNumberArgument } from './arguments.js';
import { createProgram, runProgram, withOpenDatabase } from './command.js';
import { columns, formatCompanies, formatJson, formatTable, formatTime } from './output.js';

interface CreateOptions {
  readonly name: string;
  readonly companies?: readonly number[];
  readonly seconds: number;
  readonly connections: number;
  readonly role?: string;
  readonly json?: boolean;
}

const HEAD = ['login', 'organisation', 'name', 'companies', 'created'] as const;

const program = createProgram(
  'data-users',
  'Creates, lists and removes logins for reading records by SQL: see docs/sql.md.',
);

program
  .command('create')
  .description('creates a PostgreSQL login and shows its password once')
  .argument('<organisation>', 'organisation whose records it can read', nameArgument)
  .requiredOption('--name <name>', 'name, such as bi: part of the login name', loginArgument)
  .option('--companies <ids>', 'svc_ids of the companies it is limited to (default: all)', companiesArgument)
  .option('--seconds <number>', 'time limit of a statement', wholeNumberArgument(1, 99_999), 60)
  .option('--connections <number>', 'maximum concurrent connections', wholeNumberArgument(1, 99_999), 5)
  .option('--role <login>', 'an existing login, if the database owner may not create one')
  .option('--json', 'print JSON; use with npm run -s')
  .action(create);

program
  .command('list')
  .description('lists the logins, oldest first')
  .argument('[organisation]', 'only logins of this organisation', nameArgument)
  .option('--json', 'print JSON; use with npm run -s')
  .action(list);

program
  .command('remove')
  .description('ends the sessions of a login and removes it')
  .argument('<login>', 'login name, as shown by list')
  .action(remove);

void runProgram(program);

function loginArgument(text: string): string {
  if (/^[a-z][a-z0-9_]{0,19}$/.test(text)) return text;
  throw new InvalidArgumentError('it must begin with a letter and have up to 20 of a-z, 0-9 and _');
}

async function withOwner<Result>(
  work: (owner: pg.Client, url: string, users: typeof DataUsers) => Promise<Result>,
): Promise<Result> {
  const [users, { withClient }, { migrateUnused }] = await Promise.all([
    import('../data/users.js'),
    import('../db/pool/client.js'),
    import('./database.js'),
  ]);
  return withOpenDatabase('attach', async ({ opened }) => {
    await migrateUnused(opened.url);
    return withClient({ connectionString: opened.url }, (client) => work(client, opened.url, users));
  });
}

async function idOf(url: string, name: string): Promise<number> {
  const [{ connectOwner }, { Login }] = await Promise.all([
    import('../db/database.js'),
    import('../db/pool/login.js'),
  ]);
  const database = connectOwner(new Login([url]));
  try {
    return (await getOrganisation(database.prisma, name)).svcId;
  } finally {
    await database.close();
  }
}

async function create(organisation: string, options: CreateOptions): Promise<void> {
  const { name, companies = [], seconds, connections, role = null } = options;
  const made = await withOwner(async (owner, url, { createDataUser }) => {
    const organisationId = await idOf(url, organisation);
    const limits = { statementMilliseconds: seconds * 1000, connections };
    const user = await createDataUser(owner, {
      organisationId,
      name,
      companyIds: companies,
      role,
      ...limits,
    });
    const { host, pathname } = new URL(url);
    return { ...user, host, database: decodeURIComponent(pathname.slice(1)) };
  });
  if (options.json) {
    const { role: login, password, host, database } = made;
    process.stdout.write(formatJson({ login, password, host, database, company_ids: companies }));
    return;
  }
  if (made.password !== null) {
    process.stdout.write(`${made.password}\n\nKeep it now: it will not be shown again.\n\n`);
  }
  const facts = [
    ['login', made.role],
    ['host', made.host],
    ['database', made.database],
    ['schema', 'data'],
    ['companies', companies.join(', ') || 'all'],
  ];
  for (const fact of columns(facts)) process.stdout.write(`  ${fact.join('  ').trimEnd()}\n`);
}

async function list(organisation: string | undefined, options: { json?: boolean }): Promise<void> {
  const users = await withOwner(async (owner, url, { listDataUsers }) =>
    listDataUsers(owner, organisation === undefined ? null : await idOf(url, organisation)),
  );
  if (options.json) {
    const shown = users.map(({ role, organisation: of, name, companyIds, createdAt, hasLogin }) => ({
      login: role,
      organisation: of,
      name,
      company_ids: companyIds,
      created_at: createdAt,
      has_login: hasLogin,
    }));
    process.stdout.write(formatJson(shown));
  } else if (users.length === 0) {
    process.stdout.write(
      'There is no login for SQL. `npm run data-users -- create --help` tells how to make one.\n',
    );
  } else {
    const rows = users.map(({ role, organisation: of, name, companyIds, createdAt, hasLogin }) => [
      hasLogin ? role : `${role} (missing: create it again)`,
      of,
      name,
      formatCompanies(companyIds),
      formatTime(createdAt, ''),
    ]);
    process.stdout.write(formatTable(HEAD, rows));
  }
}

async function remove(role: string): Promise<void> {
  const isGone = await withOwner((owner, _url, { removeDataUser }) => removeDataUser(owner, role));
  process.stdout.write(
    isGone
      ? `Removed ${role}; its sessions have ended.\n`
      : `${role} reads nothing here any more. The login itself stays: it was not made here, or owns objects in another database.\n`,
  );
}
