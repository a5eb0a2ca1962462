// Copies into dist what the service needs from packages that are otherwise dev tools: scripts of its pages and, from
// Prisma's client, one of twenty query compilers. An installation without dev tools is less than half the size. Also
// parses the schema, so that starts need not.
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

import scalar from '@scalar/fastify-api-reference';
import Fastify from 'fastify';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const dist = join(root, 'dist');
const folderOf = (name) => join(root, 'node_modules', name);
const pages = join(dist, 'pages');

/** The page at /graphql. */
const PLAYGROUND = {
  'graphiql.css': ['graphiql', 'graphiql.min.css'],
  'graphiql.js': ['graphiql', 'graphiql.min.js'],
  'react.js': ['react', 'umd/react.production.min.js'],
  'react-dom.js': ['react-dom', 'umd/react-dom.production.min.js'],
};

/** Files that `src/db/__generated__` imports; `compilerBuild` in prisma/schema.prisma chooses the compiler. */
const PRISMA = [
  'runtime/client.js',
  'runtime/query_compiler_small_bg.postgresql.mjs',
  'runtime/query_compiler_small_bg.postgresql.wasm-base64.mjs',
];

mkdirSync(pages, { recursive: true });
for (const [file, [name, path]] of Object.entries(PLAYGROUND)) {
  cpSync(join(folderOf(name), path), join(pages, file));
}
writeFileSync(join(pages, 'scalar.js'), await readScalar());
await withModule('db/embedded/binaries.js', completeEmbedded);
await withModule('graphql/parsed-schema.js', parseSchema);
copyPackage('@prisma/client', PRISMA);
copyPackage('@prisma/client-runtime-utils', ['dist/index.js']);

/** `npm run dev` comes here before it compiles: its starts do without. */
async function withModule(path, use) {
  const file = join(dist, path);
  if (existsSync(file)) await use(await import(pathToFileURL(file).href));
}

/** Links libraries of the embedded PostgreSQL now, as the installation may be read-only at the first start. */
async function completeEmbedded({ locateBinaries }) {
  // If it is not installed, the start reports that DATABASE_URL is required.
  await locateBinaries().catch(() => undefined);
}

function parseSchema({ writeParsed }) {
  writeParsed(readFileSync(join(root, 'schema.graphql'), 'utf8'));
}

/** Scalar's Fastify plugin contains the script of the /docs page. */
async function readScalar() {
  const server = Fastify();
  await server.register(scalar, { routePrefix: '/docs', configuration: { url: '/openapi.json' } });
  const { statusCode, body } = await server.inject('/docs/js/scalar.js');
  await server.close();
  if (statusCode !== 200 || !body.includes('createApiReference'))
    throw new Error('Scalar has no script of that name');
  return body;
}

/** Copies to a place where modules in dist find it before any outer package of that name. */
function copyPackage(name, files) {
  const target = join(dist, 'node_modules', name);
  rmSync(target, { recursive: true, force: true });
  for (const file of ['package.json', 'LICENSE', ...files])
    cpSync(join(folderOf(name), file), join(target, file));
}
