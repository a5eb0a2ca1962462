import { KEY_TRUST_MILLISECONDS } from '../operations/keys/api-keys.js';
import {
  countWebhooks,
  createOrganisation,
  getOrganisation,
  type ListedOrganisation,
  listOrganisations,
  revokeOrganisationKeys,
} from '../operations/organisations/organisations.js';
import { organisationScope } from '../db/scope.js';
import { nameArgument } from './arguments.js';
import { createProgram, runProgram, withDatabase } from './command.js';
import { formatJson, formatTable, formatTime } from './output.js';

const HEAD = ['svc_id', 'name', 'companies', 'keys', 'created'] as const;

const program = createProgram(
  'organisations',
  'Creates and lists organisations, and revokes all keys of one.',
);

program
  .command('create')
  .description('creates an organisation')
  .argument('<name>', 'name of the organisation', nameArgument)
  .option('--json', 'print JSON; use with npm run -s')
  .action(create);

program
  .command('list')
  .description('lists the organisations, oldest first; counts only usable keys')
  .option('--json', 'print JSON; use with npm run -s')
  .action(list);

program
  .command('revoke')
  .description('revokes all keys of an organisation; its data stays')
  .argument('<name>', 'name of the organisation', nameArgument)
  .option('--webhooks', 'also switch off its webhooks, which send events without a key')
  .action(revoke);

program
  .command('return-origins')
  .description('shows or replaces the origins to which invite link pages may return end customers')
  .argument('<name>', 'name of the organisation', nameArgument)
  .argument('[origins...]', 'all origins, such as https://app.example.com')
  .option('--none', 'remove all origins')
  .action(returnOrigins);

void runProgram(program);

async function create(name: string, options: { json?: boolean }): Promise<void> {
  const made = await withDatabase(({ prisma }) => createOrganisation(prisma, name));
  if (options.json) {
    process.stdout.write(formatJson({ svc_id: made.svcId, name: made.name }));
    return;
  }
  process.stdout.write(
    `Made the organisation "${made.name}" with the svc_id ${made.svcId}. Its first key:\n`,
  );
  process.stdout.write(`  npm run keys -- create --organisation ${quote(made.name)} --name first\n`);
}

/** Quotes for a shell. */
function quote(name: string): string {
  return /["$`\\!]/.test(name) ? `'${name.replaceAll("'", `'\\''`)}'` : `"${name}"`;
}

async function list(options: { json?: boolean }): Promise<void> {
  const organisations = await withDatabase(({ prisma }) => listOrganisations(prisma, new Date()));
  if (options.json) process.stdout.write(formatJson(organisations.map(listedJson)));
  else if (organisations.length > 0) process.stdout.write(formatTable(HEAD, organisations.map(listedRow)));
  else process.stdout.write('There is no organisation yet: npm run organisations -- create "My company"\n');
}

function listedRow({ svcId, name, companies, keys, svcCreatedAt }: ListedOrganisation): string[] {
  return [String(svcId), name, String(companies), String(keys), formatTime(svcCreatedAt, '')];
}

function listedJson({ svcId, name, companies, keys, svcCreatedAt }: ListedOrganisation): object {
  return { svc_id: svcId, name, companies, keys, svc_created_at: svcCreatedAt };
}

async function returnOrigins(
  name: string,
  origins: readonly string[],
  { none = false }: { none?: boolean },
): Promise<void> {
  const { listReturnOrigins, replaceReturnOrigins } =
    await import('../operations/organisations/return-origins.js');
  const shown = await withDatabase(async (database) => {
    const { svcId } = await getOrganisation(database.prisma, name);
    const scope = organisationScope(svcId);
    const client = database.client(scope);
    return none || origins.length > 0
      ? replaceReturnOrigins(client, scope, none ? [] : origins)
      : listReturnOrigins(client);
  });
  process.stdout.write(shown.length === 0 ? 'There are none.\n' : `${shown.join('\n')}\n`);
}

async function revoke(name: string, { webhooks: off = false }: { webhooks?: boolean }): Promise<void> {
  const { keys, webhooks } = await withDatabase(async ({ prisma }) => {
    const { svcId } = await getOrganisation(prisma, name);
    // The keys first: nobody switches a webhook on again.
    const revoked = await revokeOrganisationKeys(prisma, svcId);
    return { keys: revoked, webhooks: await countWebhooks(prisma, svcId, { off }) };
  });
  process.stdout.write(
    keys === 0
      ? `"${name}" had no key left to revoke. Its companies and records stay.\n`
      : `Revoked ${keys === 1 ? '1 key' : `${keys} keys`} of "${name}". A running service refuses them within ` +
          `${KEY_TRUST_MILLISECONDS / 1000} seconds. Its companies and records stay.\n`,
  );
  if (webhooks === 0) return;
  const counted = webhooks === 1 ? '1 webhook' : `${webhooks} webhooks`;
  process.stdout.write(
    off
      ? `Switched ${counted} off.\n`
      : `It still has ${counted} that events are sent to: with --webhooks they are switched off.\n`,
  );
}
