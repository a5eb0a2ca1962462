// Apollo Server and Prisma as commonly used: a resolver per relation, DataLoader, findMany. No authentication.
import { readFileSync } from 'node:fs';
import { ApolloServer } from '@apollo/server';
import { fastifyApolloDrainPlugin, fastifyApolloHandler } from '@as-integrations/fastify';
import { PrismaPg } from '@prisma/adapter-pg';
import Fastify from 'fastify';
import { PrismaClient } from '../../dist/db/__generated__/client.js';
import { createLoaders, resolvers } from './usual-resolvers.js';

const adapter = new PrismaPg({
  connectionString: process.env.DATABASE_URL,
  max: 10,
  application_name: 'bench-usual',
});
// More efficient than usual: the raw platform object is not read, as no query asks for it.
const omit = Object.fromEntries(
  ['account', 'bill', 'billPayment', 'currency', 'contact', 'invoiceCreditNote'].map((model) => [
    model,
    { rawData: true },
  ]),
);
const prisma = new PrismaClient({ adapter, omit });

const fastify = Fastify();
const apollo = new ApolloServer({
  typeDefs: readFileSync(new URL('../../schema.graphql', import.meta.url), 'utf8'),
  resolvers,
  plugins: [fastifyApolloDrainPlugin(fastify)],
  stopOnTerminationSignals: false,
});
await apollo.start();
fastify.post(
  '/graphql',
  fastifyApolloHandler(apollo, { context: async () => ({ prisma, loaders: createLoaders(prisma) }) }),
);
console.log(await fastify.listen({ port: 0, host: '127.0.0.1' }));
process.on('SIGTERM', () => process.exit(0));
