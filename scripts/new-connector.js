// `npm run new:connector -- NAME`: see --help.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));
const SKELETON = join(ROOT, 'scripts', 'skeleton');
const INDEX = 'src/connectors/index.ts';

const HELP = `Generates a starter connector with its test, and adds it to ${INDEX}. It compiles and passes the
connector suite against a small fake platform; docs/adding-a-platform.md explains how to turn it into a real one.

  npm run new:connector -- acme-books
  npm run new:connector -- acme-shop --category ECOMMERCE

  NAME             name of its folder: lower-case words joined by -
  --category C     ACCOUNTING, PAYMENTS or ECOMMERCE           (ACCOUNTING)
  --help
`;

/** The first record type of a new connector, by category. */
const RECORDS = { ACCOUNTING: 'contact', PAYMENTS: 'paymentCustomer', ECOMMERCE: 'ecommerceCustomer' };

try {
  run(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

function run(args) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      category: { type: 'string', default: 'ACCOUNTING' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return void process.stdout.write(HELP);
  const [name, ...others] = positionals;
  if (!/^[a-z][a-z0-9]*(-[a-z0-9]+)*$/.test(name ?? '') || others.length > 0) {
    throw new Error('one name is needed, in lower case with words joined by -: see --help');
  }
  if (!Object.hasOwn(RECORDS, values.category)) throw new Error(`there is no category ${values.category}`);
  const words = wordsOf(name, values.category);
  const files = {
    [`src/connectors/${name}/index.ts`]: 'connector/index.ts.txt',
    [`src/connectors/${name}/client.ts`]: 'connector/client.ts.txt',
    [`src/connectors/${name}/answers.ts`]: 'connector/answers.ts.txt',
    [`src/connectors/${name}/access.ts`]: 'connector/access.ts.txt',
    [`src/connectors/${name}/pages.ts`]: 'connector/pages.ts.txt',
    [`src/connectors/${name}/resources.ts`]: 'connector/resources.ts.txt',
    [`src/connectors/${name}/mappers/customer.ts`]: 'connector/customer.ts.txt',
    [`test/connectors/conformance-${name}.test.ts`]: 'test/conformance.test.ts.txt',
    [`test/connectors/${name}-fake/platform.ts`]: 'test/platform.ts.txt',
  };
  const taken = Object.keys(files).find((path) => existsSync(join(ROOT, path)));
  if (taken) throw new Error(`${taken} already exists`);
  const index = withConnector(readFileSync(join(ROOT, INDEX), 'utf8'), words);
  for (const [path, template] of Object.entries(files)) {
    const target = join(ROOT, path);
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, filled(readFileSync(join(SKELETON, template), 'utf8'), words));
    process.stdout.write(`${path}\n`);
  }
  writeFileSync(join(ROOT, INDEX), index);
  process.stdout.write(`${INDEX}\n\nnpm run codegen\nnpm test -- test/connectors/conformance-${name}\n`);
}

/** Words to put in place of the names between underscores in the skeleton. */
function wordsOf(name, category) {
  const parts = name.split('-');
  const title = parts.map((part) => part.charAt(0).toUpperCase() + part.slice(1));
  const pascal = title.join('');
  return {
    kebab: name,
    camel: pascal.charAt(0).toLowerCase() + pascal.slice(1),
    Pascal: pascal,
    CONST: parts.join('_').toUpperCase(),
    Title: title.join(' '),
    CATEGORY: category,
    record: RECORDS[category],
  };
}

function filled(text, words) {
  return Object.entries(words).reduce((all, [word, value]) => all.replaceAll(`__${word}__`, value), text);
}

/** Adds the import, and the connector at the end of the list. */
function withConnector(index, { camel, kebab }) {
  const imports = [...index.matchAll(/^import .*;$/gm)];
  const last = imports.at(-1);
  const list = /^export const connectors: readonly Connector\[\] = \[\n(?: {2}\w+,\n)*/m.exec(index);
  if (!last || !list) throw new Error(`${INDEX} has no list of connectors`);
  const afterImports = last.index + last[0].length;
  const afterList = list.index + list[0].length;
  return [
    index.slice(0, afterImports),
    `\nimport { ${camel} } from './${kebab}/index.js';`,
    index.slice(afterImports, afterList),
    `  ${camel},\n`,
    index.slice(afterList),
  ].join('');
}
