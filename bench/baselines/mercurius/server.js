// Mercurius with graphql-jit and its own loaders, over plain pg rows. No authentication.
import { readFileSync } from 'node:fs';
import Fastify from 'fastify';
import mercurius from 'mercurius';
import { loaders, resolvers } from './resolvers.js';

const fastify = Fastify();
await fastify.register(mercurius, {
  schema: readFileSync(new URL('../../../schema.graphql', import.meta.url), 'utf8'),
  resolvers,
  loaders,
  jit: 1,
});
console.log(await fastify.listen({ port: 0, host: '127.0.0.1' }));
process.on('SIGTERM', () => process.exit(0));
