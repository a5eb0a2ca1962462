import { readFileSync } from 'node:fs';
import { makeExecutableSchema } from '@graphql-tools/schema';
import type { GraphQLSchema } from 'graphql';
import type { Context } from '../context.js';
import { packagePath } from '../package-path.js';
import { createResolvers } from './resolvers/index.js';

/** The executable schema: `schema.graphql` with its resolvers. Throws where the two do not fit. */
export function createSchema(): GraphQLSchema {
  return makeExecutableSchema<Context>({
    typeDefs: readFileSync(packagePath('schema.graphql'), 'utf8'),
    resolvers: createResolvers(),
    resolverValidationOptions: { requireResolversToMatchSchema: 'error' },
  });
}
