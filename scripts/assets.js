// Puts into dist what the service needs of packages that are otherwise tools: the scripts of its pages, and of Prisma's
// client the one of its twenty query compilers that it runs. So an installation without tools weighs less than half.
import { cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

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

/** What `src/db/__generated__` imports; `compilerBuild` in prisma/schema.prisma says which compiler. */
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
await completeEmbedded();
copyPackage('@prisma/client', PRISMA);
copyPackage('@prisma/client-runtime-utils', ['dist/index.js']);

/** Links libraries of the embedded PostgreSQL: at the first start the installation may be read-only. */
async function completeEmbedded() {
  const { locateBinaries } = await import('../dist/db/embedded/binaries.js');
  // Where it is not installed, a start says that it needs DATABASE_URL.
  await locateBinaries().catch(() => undefined);
}

/** Scalar's plugin for Fastify holds the script of the page at /docs. */
async function readScalar() {
  const server = Fastify();
  await server.register(scalar, { routePrefix: '/docs', configuration: { url: '/openapi.json' } });
  const { statusCode, body } = await server.inject('/docs/js/scalar.js');
  await server.close();
  if (statusCode !== 200 || !body.includes('createApiReference'))
    throw new Error('Scalar has no script of that name');
  return body;
}

/** To where everything in dist finds it before a package of that name outside. */
function copyPackage(name, files) {
  const target = join(dist, 'node_modules', name);
  rmSync(target, { recursive: true, force: true });
  for (const file of ['package.json', 'LICENSE', ...files])
    cpSync(join(folderOf(name), file), join(target, file));
}
