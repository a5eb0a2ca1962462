import { InvalidArgumentError, Option } from 'commander';
import { DEMO_ORGANISATION } from '../demo/companies.js';
import { CATEGORIES } from '../records/define.js';
import { nameArgument } from './arguments.js';
import { createProgram, runProgram } from './command.js';
import type { PullCommand } from './pull-company.js';

const program = createProgram('pull', 'Reads all records of a company from a platform and stores them.')
  .requiredOption('--integration <type>', 'the platform, such as XERO; any other word lists them')
  .addOption(
    new Option('--category <category>', 'which of its categories, where it has several').choices(CATEGORIES),
  )
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
    'the account at the platform, as its API names it',
    '00000000-0000-0000-0000-000000000000',
  )
  .option('--base-currency <code>', "ISO 4217 code of a new company's books")
  .action(async (command: PullCommand) => (await import('./pull-company.js')).pull(command));

void runProgram(program);

function addressArgument(text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text;
  throw new InvalidArgumentError('it must be an address such as http://127.0.0.1:4010');
}
