import { InvalidArgumentError, Option } from 'commander';
import { DEMO_ORGANISATION } from '../demo/companies.js';
import { CATEGORIES } from '../records/define.js';
import { nameArgument } from './arguments.js';
import { createProgram, runProgram } from './command.js';
import type { PullCommand } from './pull-company.js';

const program = createProgram('pull', 'Reads all records of a company from a platform and stores them.')
  .requiredOption('--integration <type>', 'the platform, such as XERO; any other word lists them')
  .addOption(new Option('--category <category>', 'category, if the platform has several').choices(CATEGORIES))
  .requiredOption('--company <name>', 'company that owns the records; created if missing', nameArgument)
  .option('--organisation <name>', 'the organisation that owns the company', nameArgument, DEMO_ORGANISATION)
  .option('--base-url <url>', 'base URL of the platform API, if not the default', addressArgument)
  .addOption(
    new Option('--access-token <token>', 'OAuth access token for the platform')
      .env('PLATFORM_ACCESS_TOKEN')
      .default('none'),
  )
  .option('--account <id>', 'account id in the platform API', '00000000-0000-0000-0000-000000000000')
  .option('--base-currency <code>', 'ISO 4217 code of the base currency of a new company')
  .action(async (command: PullCommand) => (await import('./pull-company.js')).pull(command));

void runProgram(program);

function addressArgument(text: string): string {
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text;
  throw new InvalidArgumentError('it must be an address such as http://127.0.0.1:4010');
}
