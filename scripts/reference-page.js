// Writes dist/pages/scalar.js: the script of the page at /docs, out of Scalar's plugin for Fastify. The service needs
// nothing else of that package, so that it is a tool of the build.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

import scalar from '@scalar/fastify-api-reference';
import Fastify from 'fastify';

const pages = join(dirname(dirname(fileURLToPath(import.meta.url))), 'dist/pages');
const server = Fastify();
await server.register(scalar, { routePrefix: '/docs', configuration: { url: '/openapi.json' } });
const { statusCode, body } = await server.inject('/docs/js/scalar.js');
await server.close();
if (statusCode !== 200 || !body.includes('createApiReference'))
  throw new Error('Scalar has no script of that name');
mkdirSync(pages, { recursive: true });
writeFileSync(join(pages, 'scalar.js'), body);
