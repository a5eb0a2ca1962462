import { readFileSync } from 'node:fs';
import { addResolversToSchema } from '@graphql-tools/schema';
import { buildSchema, type GraphQLSchema, isEnumType } from 'graphql';
import { packagePath } from '../package-path.js';
import { createResolvers } from './resolvers/index.js';

/** The document that clients download. */
export const readSchemaText = (): string => readFileSync(packagePath('schema.graphql'), 'utf8');

/**
 * The executable schema: `schema.graphql` with its resolvers. Throws where the two do not fit. The file is known to be
 * valid (a test and CI hold it), so that a start does not check it again.
 */
export function createSchema(text: string = readSchemaText()): GraphQLSchema {
  const schema = addResolversToSchema({
    schema: buildSchema(text, { assumeValidSDL: true, noLocation: true }),
    resolvers: createResolvers(),
    resolverValidationOptions: { requireResolversToMatchSchema: 'error' },
    updateResolversInPlace: true,
  });
  for (const name of CHECKED_BY_OPERATIONS) takeAnyWord(schema, name);
  return schema;
}

/**
 * Enums whose words operations check themselves: their answer names the input at fault in the words of the caller's
 * style, while GraphQL's own refusal of a variable is the same for all and knows nothing of REST.
 */
const CHECKED_BY_OPERATIONS = [
  'CompanyStatus',
  'DataModel',
  'HttpMethod',
  'IntegrationCategory',
  'IntegrationType',
  'SyncFrequency',
];

/** Lets variables hold any word; literals in a document are held to the enum by validation. */
function takeAnyWord(schema: GraphQLSchema, name: string): void {
  const type = schema.getType(name);
  if (!isEnumType(type)) throw new Error(`${name} is no enum of the schema`);
  const parse: (value: unknown) => unknown = type.parseValue.bind(type);
  type.parseValue = (value) => (typeof value === 'string' ? value : parse(value));
}
