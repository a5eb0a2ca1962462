import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { ERROR_TABLE } from '../errors.js';
import { WEIGHT_TABLE } from '../graphql/document/weights.js';
import { LIMIT_TABLE } from '../limits.js';
import { packagePath } from '../package-path.js';
import { createProgram, runProgram } from './command.js';
import { columns } from './output.js';

const program = createProgram('codegen', 'Generates the pages of docs/ from tables in the code.');
program.option('--check', 'write nothing, exit with 1 if a page is out of date').action(writeDocs);

void runProgram(program);

function writeDocs({ check = false }: { check?: boolean }): void {
  const pages = { 'docs/limits.md': limitsPage(), 'docs/errors.md': errorsPage() };
  for (const [name, wanted] of Object.entries(pages)) {
    const path = packagePath(name);
    if (existsSync(path) && readFileSync(path, 'utf8') === wanted) continue;
    if (check) {
      process.stderr.write(`${name} is not current: run npm run codegen\n`);
      process.exitCode = 1;
      continue;
    }
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, wanted);
  }
}

function limitsPage(): string {
  const rows = Object.values(LIMIT_TABLE).map(({ variable, value, about }) => [
    about,
    String(value),
    `\`${variable}\``,
  ]);
  const weights = Object.values(WEIGHT_TABLE).map(({ about, value }) => [about, String(value)]);
  return `# Limits

Every number that a request can run into. A request above a limit is refused with a message that names it. Each can be
changed by its environment variable. What is taken where nothing is asked for may not be above the most that may be asked for,
and follows it where only that is lowered. Written by \`npm run codegen\` from \`src/limits.ts\`.

${markdownTable(['what is limited', 'default', 'variable'], rows)}
## Cost of a GraphQL operation

A record counts 1, and a list counts the records of its page, times the records that it is below. What makes the database
read more than it answers counts the same wherever it is in the query, since a level is one statement. Of a list that is
introspected the table says how many records it counts as.

${markdownTable(['what counts', 'cost'], weights)}
With \`LIMIT_QUERY_COST\` as it is, a query may count up to 39 lists, or introspect the whole schema twice.
`;
}

function errorsPage(): string {
  const rows = Object.entries(ERROR_TABLE).map(([code, { status, shown, retry }]) => [
    `\`${code}\``,
    String(status),
    retry ? 'yes' : 'no',
    shown ? 'what was wrong' : 'the same for all, the cause is in the log',
  ]);
  return `# Error codes

REST answers with the status and the code as \`error.code\`, GraphQL with the code as \`extensions.code\`. In payloads of
mutations the codes are values of the enum \`ErrorCode\`: \`INVALID_PARAMS\` is \`invalid-params\`. Written by
\`npm run codegen\` from \`src/errors.ts\`.

${markdownTable(['code', 'HTTP status', 'may succeed when sent again', 'message'], rows)}`;
}

/** In prettier's format. */
function markdownTable(head: string[], rows: string[][]): string {
  const [title = [], ...lines] = columns([head, ...rows]);
  const rule = title.map((cell) => '-'.repeat(cell.length));
  return [title, rule, ...lines].map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}
