import { readFileSync } from 'node:fs';
import { addResolversToSchema } from '@graphql-tools/schema';
import { buildASTSchema, type GraphQLSchema } from 'graphql';
import { packagePath } from '../package-path.js';
import { readParsed } from './parsed-schema.js';
import { createResolvers } from './resolvers/index.js';

/** The document that clients download. */
export const readSchemaText = (): string => readFileSync(packagePath('schema.graphql'), 'utf8');

let own: GraphQLSchema | undefined;

/** The schema of the file, created once per process. */
export const executableSchema = (): GraphQLSchema => (own ??= createSchema());

/**
 * The executable schema: `schema.graphql` with its resolvers. Throws where the two do not fit. The file is known to be
 * valid (a test and CI ensure it), so startup does not check it again.
 */
export function createSchema(text: string = readSchemaText()): GraphQLSchema {
  return addResolversToSchema({
    schema: buildASTSchema(readParsed(text), { assumeValid: true, assumeValidSDL: true }),
    resolvers: createResolvers(),
    resolverValidationOptions: { requireResolversToMatchSchema: 'error' },
    updateResolversInPlace: true,
  });
}
