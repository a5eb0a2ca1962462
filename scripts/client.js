// Builds client/: REST types from docs/openapi.json, GraphQL operations from client/src/documents/, then client/dist/.
//   node scripts/client.js           builds everything that is not current
//   node scripts/client.js --types   only what the compiler needs
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readArguments } from './read-arguments.js';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const generated = join(root, 'client/src/__generated__');
const dist = join(root, 'client/dist');
const { types = false } = readArguments({ options: { types: { type: 'boolean' } } }).values;

await step(
  join(generated, '.stamp'),
  [
    'docs/openapi.json',
    'schema.graphql',
    'client/codegen.yml',
    ...filesOf('client/src/documents'),
    'package-lock.json',
  ],
  generate,
);
if (!types)
  await step(
    join(dist, '.stamp'),
    [...filesOf('client/src'), 'client/src/__generated__/.stamp', 'client/tsconfig.json'],
    compile,
  );

async function writeRest() {
  const { default: openapi, astToString } = await import('openapi-typescript');
  const document = JSON.parse(readFileSync(join(root, 'docs/openapi.json'), 'utf8'));
  writeFileSync(join(generated, 'rest.ts'), astToString(await openapi(document, { exportType: false })));
}

async function generate() {
  rmSync(generated, { recursive: true, force: true });
  mkdirSync(generated, { recursive: true });
  node('node_modules/@graphql-codegen/cli/cjs/bin.js', '--config', 'client/codegen.yml');
  writeDocuments();
  await writeRest();
}

/** Operations as typed document strings. */
function writeDocuments() {
  const path = join(generated, 'graphql.ts');
  const documents = filesOf('client/src/documents').map((file) => {
    const text = readFileSync(join(root, file), 'utf8');
    const [, kind, name] = /^(query|mutation) (\w+)/.exec(text);
    const type = `${name}${kind === 'query' ? 'Query' : 'Mutation'}`;
    return `export const ${name}Document = typed<${type}, ${type}Variables>(\n  ${JSON.stringify(text)},\n);\n`;
  });
  const types = readFileSync(path, 'utf8');
  writeFileSync(path, `import { typed } from '../graphql.js';\n\n${types}\n${documents.join('\n')}`);
}

function compile() {
  rmSync(dist, { recursive: true, force: true });
  node('node_modules/typescript-7/bin/tsc', '-p', 'client/tsconfig.json');
}

/** The stamp is written after the step, so that an interrupted one runs again. */
async function step(stamp, inputs, work) {
  const sum = createHash('sha256');
  for (const input of inputs) sum.update(input).update(readFileSync(join(root, input)));
  const wanted = sum.digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  rmSync(stamp, { force: true });
  await work();
  writeFileSync(stamp, wanted);
}

function filesOf(folder) {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) =>
    entry.isFile() ? [`${folder}/${entry.name}`] : [],
  );
}

function node(...args) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
  if (status === 0) return;
  process.stderr.write(`${stdout}${stderr}`);
  process.exit(status ?? 1);
}
