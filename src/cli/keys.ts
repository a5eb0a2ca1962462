import { Option } from 'commander';
import {
  createApiKey,
  KEY_SCOPES,
  KEY_TRUST_MILLISECONDS,
  type KeyScope,
  listApiKeys,
  type ListedKey,
  revokeApiKey,
} from '../operations/keys/api-keys.js';
import { getOrganisation } from '../operations/organisations/organisations.js';
import { companiesArgument, expiryArgument, nameArgument, scopesArgument } from './arguments.js';
import { createProgram, runProgram, withDatabase } from './command.js';
import { columns, formatCompanies, formatJson, formatTable, formatTime } from './output.js';

interface CreateOptions {
  readonly organisation: string;
  readonly name: string;
  readonly scopes: readonly KeyScope[];
  readonly companies?: readonly number[];
  readonly expires?: Date;
  readonly json?: boolean;
}

const HEAD = [
  'id',
  'name',
  'organisation',
  'scopes',
  'companies',
  'created',
  'expires',
  'last used',
  'revoked',
] as const;

const program = createProgram('keys', 'Creates, lists and revokes API keys. Times are in UTC.');

program
  .command('create')
  .description('creates a key and shows it once')
  .requiredOption('--organisation <name>', 'organisation that owns the key', nameArgument)
  .requiredOption('--name <name>', 'name of the key', nameArgument)
  .addOption(
    new Option('--scopes <list>', `scopes, out of ${KEY_SCOPES.join(', ')}`)
      .argParser(scopesArgument)
      .default(['read', 'write'], 'read,write'),
  )
  .option('--companies <ids>', 'svc_ids of the companies it is limited to (default: all)', companiesArgument)
  .option('--expires <date>', 'expiry date, such as 2027-01-31 (default: never)', expiryArgument)
  .option('--json', 'print JSON; use with npm run -s')
  .action(create);

program
  .command('list')
  .description('lists the keys, oldest first, without their secrets')
  .option('--organisation <name>', 'only keys of this organisation', nameArgument)
  .option('--json', 'print JSON; use with npm run -s')
  .action(list);

program
  .command('revoke')
  .description('revokes a key')
  .argument('<id>', 'the id shown by list')
  .action(revoke);

void runProgram(program);

async function create(options: CreateOptions): Promise<void> {
  const { name, scopes, companies = [], expires = null } = options;
  const made = await withDatabase(async ({ prisma }) => {
    const organisation = await getOrganisation(prisma, options.organisation);
    const rights = { scopes, companyIds: companies, expiresAt: expires };
    const key = await createApiKey(prisma, { organisationId: organisation.svcId, name, ...rights });
    return { ...key, organisation: organisation.name };
  });
  if (options.json) {
    const { id, key, organisation } = made;
    const rights = { scopes, company_ids: companies, expires_at: expires };
    process.stdout.write(formatJson({ id, key, name, organisation, ...rights }));
    return;
  }
  const facts = [
    ['id', made.id],
    ['name', name],
    ['organisation', made.organisation],
    ['scopes', scopes.join(', ')],
    ['companies', companies.join(', ') || 'all'],
    ['expires', formatTime(expires, 'never')],
  ];
  process.stdout.write(`${made.key}\n\n`);
  process.stdout.write('Keep it now: only its hash is stored, and it will not be shown again.\n\n');
  for (const fact of columns(facts)) process.stdout.write(`  ${fact.join('  ').trimEnd()}\n`);
}

async function list(options: { organisation?: string; json?: boolean }): Promise<void> {
  const keys = await withDatabase(async ({ prisma }) => {
    const name = options.organisation;
    return listApiKeys(prisma, name === undefined ? null : (await getOrganisation(prisma, name)).svcId);
  });
  if (options.json) process.stdout.write(formatJson(keys.map(listedJson)));
  else if (keys.length > 0) process.stdout.write(formatTable(HEAD, keys.map(listedRow)));
  else process.stdout.write('There is no API key. `npm run keys -- create --help` tells how to make one.\n');
}

function listedRow(key: ListedKey): string[] {
  return [
    key.id,
    key.name,
    key.organisation,
    key.scopes.join(','),
    formatCompanies(key.companyIds),
    formatTime(key.createdAt, ''),
    formatTime(key.expiresAt, 'never'),
    formatTime(key.lastUsedAt, 'never'),
    formatTime(key.revokedAt, '-'),
  ];
}

function listedJson(key: ListedKey): object {
  return {
    id: key.id,
    name: key.name,
    organisation: key.organisation,
    scopes: key.scopes,
    company_ids: key.companyIds,
    created_at: key.createdAt,
    expires_at: key.expiresAt,
    last_used_at: key.lastUsedAt,
    revoked_at: key.revokedAt,
  };
}

async function revoke(id: string): Promise<void> {
  const { name, organisation, revokedNow } = await withDatabase(({ prisma }) => revokeApiKey(prisma, id));
  const key = `${id} ("${name}" of "${organisation}")`;
  process.stdout.write(
    revokedNow
      ? `Revoked ${key}. A running service refuses it within ${KEY_TRUST_MILLISECONDS / 1000} seconds.\n`
      : `${key} was revoked already.\n`,
  );
}
