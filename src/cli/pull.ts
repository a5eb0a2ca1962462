import { InvalidArgumentError, Option } from 'commander';
import { plainAccess } from '../connectors/connector.js';
import { connectorFor, connectors } from '../connectors/index.js';
import type { Database } from '../db/database.js';
import { DEMO_ORGANISATION } from '../demo/companies.js';
import {
  connectCompany,
  findOrCreateCompany,
  getOrganisation,
} from '../operations/organisations/organisations.js';
import { organisationScope } from '../db/scope.js';
import { type PullProgress, pullRecords } from '../operations/syncs/pull-records.js';
import { nameArgument } from './arguments.js';
import { createProgram, runProgram, withDatabase } from './command.js';

interface PullCommand {
  readonly integration: string;
  readonly company: string;
  readonly organisation: string;
  readonly baseUrl?: string;
  readonly accessToken: string;
  readonly account: string;
  readonly baseCurrency?: string;
}

const types = connectors.map(({ integrationType }) => integrationType).join(', ');

const program = createProgram('pull', 'Reads all records of a company from a platform and stores them.')
  .requiredOption('--integration <type>', `the platform: ${types}`)
  .requiredOption(
    '--company <name>',
    'whose records they are; made when there is no such company',
    nameArgument,
  )
  .option('--organisation <name>', 'the organisation that owns the company', nameArgument, DEMO_ORGANISATION)
  .option('--base-url <url>', "the platform's address, where it is not the usual one", addressArgument)
  .addOption(
    new Option('--access-token <token>', 'OAuth access token for the platform')
      .env('PLATFORM_ACCESS_TOKEN')
      .default('none'),
  )
  .option(
    '--account <id>',
    'the account at the platform (Xero: tenant id)',
    '00000000-0000-0000-0000-000000000000',
  )
  .option('--base-currency <code>', "ISO 4217 code of a new company's books")
  .action(pull);

await runProgram(program);

function addressArgument(text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text;
  throw new InvalidArgumentError('it must be an address such as http://127.0.0.1:4010');
}

async function pull(command: PullCommand): Promise<void> {
  const connector = connectorFor(command.integration);
  const platform = connector.createClient(
    plainAccess({
      baseUrl: command.baseUrl,
      accessToken: command.accessToken,
      externalAccountId: command.account,
    }),
  );
  const report = await withDatabase(async (database) => {
    const { scope, client, target } = await targetOf(database, command);
    const sql = database.sql(scope);
    return pullRecords({ sql, client, connector, platform, target, onProgress: showProgress });
  });
  process.stdout.write(summary(report));
  if (report.some(({ failed }) => failed > 0)) process.exitCode = 1;
}

async function targetOf(database: Database, command: PullCommand) {
  const connector = connectorFor(command.integration);
  const organisation = await getOrganisation(database.prisma, command.organisation);
  const scope = organisationScope(organisation.svcId);
  const client = database.client(scope);
  const company = await findOrCreateCompany(client, scope, {
    name: command.company,
    ...(command.baseCurrency ? { baseCurrencyCode: command.baseCurrency } : {}),
  });
  process.stdout.write(
    `${company.created ? 'Made the company' : 'Company'} ${command.company} (svc_company_id ${company.svcId})\n`,
  );
  const { integrationType, category } = connector;
  const connection = await connectCompany(client, scope, {
    svcCompanyId: company.svcId,
    integrationType,
    category,
    externalAccountId: command.account,
  });
  return {
    scope,
    client,
    target: { svcCompanyId: company.svcId, connectionId: connection.svcId, integrationType },
  };
}

/** A line per record type; on a terminal it grows while pages come in. */
function showProgress(progress: PullProgress, done: boolean): void {
  const { dataModel, read, created, updated, deleted, unchanged, failed } = progress;
  const line = `  ${dataModel.padEnd(22)} ${read} read: ${created} created, ${updated} updated, ${deleted} deleted, ${unchanged} unchanged${failed > 0 ? `, ${failed} failed` : ''}`;
  if (done) {
    process.stdout.write(`${process.stdout.isTTY ? '\r' : ''}${line}\n`);
    for (const problem of progress.problems) process.stdout.write(`    ${problem}\n`);
  } else if (process.stdout.isTTY) process.stdout.write(`\r${line}`);
}

function summary(report: readonly PullProgress[]): string {
  const sum = (count: (one: PullProgress) => number) => report.reduce((total, one) => total + count(one), 0);
  const read = sum((one) => one.read);
  const changed = sum((one) => one.created + one.updated + one.deleted);
  const failed = sum((one) => one.failed);
  const lost = failed > 0 ? ` ${failed} objects could not be read, see above.` : '';
  return changed === 0
    ? `Nothing changed: all ${read} records were here already.${lost}\n`
    : `${read} records read, ${changed} of them stored as new or changed.${lost}\n`;
}
