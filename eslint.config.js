// The layers of the house and the schema; .oxlintrc.jsonc has what is true of each file by itself.
import { readdirSync } from 'node:fs';

import graphql from '@graphql-eslint/eslint-plugin';
import { defineConfig } from 'eslint/config';
import { createNodeResolver, importX } from 'eslint-plugin-import-x';
import * as typescript from '@typescript-eslint/parser';

/** Imports point down: each layer may use the ones after it, never the ones before (see docs/architecture.md). */
const LAYERS = [
  ['launch.ts'],
  ['main.ts'],
  ['cli'],
  ['backup', 'shards'],
  ['start'],
  ['cluster.ts'],
  ['app.ts', 'worker'],
  ['demo'],
  ['http', 'retention', 'data'],
  ['mcp'],
  ['rest'],
  ['graphql'],
  ['operations'],
  ['context.ts'],
  ['connect'],
  ['sync', 'writes', 'events'],
  ['runs', 'store'],
  ['loaders', 'jobs'],
  ['platforms', 'files'],
  ['outbox'],
  ['query', 'sandbox'],
  ['connectors'],
  ['records'],
  ['db'],
  ['outbound'],
  ['telemetry'],
  ['config'],
  ['secrets'],
  ['base'],
  ['errors.ts', 'limits.ts', 'package-path.ts', 'build-id.ts'],
];
const homeless = readdirSync('src').filter((entry) => !LAYERS.flat().includes(entry));
if (homeless.length > 0) throw new Error(`no layer names src/${homeless.join(', src/')}`);

const SANDBOX_USERS = ['start', 'cli', 'demo'];
/** What a layer may not use although it is below, or beside it. */
const FORBIDDEN = [
  ...LAYERS.flatMap((layer) =>
    layer.map((target) => ({
      target,
      from: layer.filter((other) => other !== target),
      message: 'Folders of one layer do not know each other.',
    })),
  ),
  { target: 'connectors', from: ['db'], message: 'Connectors do not know the database.' },
  ...LAYERS.flat()
    .filter((target) => !['sandbox', ...SANDBOX_USERS].includes(target))
    .map((target) => ({
      target,
      from: ['sandbox'],
      message: 'Only what composes the service knows the sandbox.',
    })),
];

const zones = [
  ...LAYERS.flatMap((layer, depth) =>
    layer.map((target) => ({
      target: `./src/${target}`,
      from: LAYERS.slice(0, depth)
        .flat()
        .map((above) => `./src/${above}`),
      message: 'Imports point down.',
    })),
  ),
  ...FORBIDDEN.map(({ target, from, message }) => ({
    target: `./src/${target}`,
    from: from.map((below) => `./src/${below}`),
    message,
  })),
].filter(({ from }) => from.length > 0);

/** Types of GraphQL that answer one request: no cache keeps them by an id. */
const NO_IDENTITY = ['Payload', 'Connection', 'Edge', 'WriteResult'];
/** Values, which are what they hold: parts of their parent, and what the service can do. */
const VALUES = [
  'CustomField',
  'StatementLine',
  'StatementReconciliation',
  'StatementDifference',
  'TrialBalance',
  'TrialBalanceLine',
  'FieldMappingVersion',
  'FieldMappingCheck',
  'FieldMappingExample',
  'PageInfo',
  'ChangeCause',
  'UserError',
  'WriteError',
  'SyncError',
  'RateLimits',
  'CallCounters',
  'CallResets',
  'CallLimits',
  'JobCounts',
  'RecordCounts',
  'WriteCounts',
  'PlannedRequest',
  'EcommerceAddress',
  'ItemDetail',
  'ScopeAccess',
  'SyncSetting',
  'Capability',
  'Platform',
  'RemovedCompany',
  'EndedPlatform',
  'UnmappedRecord',
];

export default defineConfig(
  {
    ignores: [
      'dist/**',
      'node_modules/**',
      '.data/**',
      '.cache/**',
      '**/__generated__/**',
      'bench/results/**',
    ],
  },
  {
    files: ['src/**/*.ts'],
    plugins: { 'import-x': importX },
    languageOptions: { parser: typescript },
    settings: {
      'import-x/resolver-next': [
        createNodeResolver({
          extensions: ['.ts', '.js'],
          extensionAlias: { '.js': ['.ts', '.js'] },
        }),
      ],
    },
    rules: {
      'import-x/no-restricted-paths': ['error', { zones }],
      // What is deployed has no other packages.
      'import-x/no-extraneous-dependencies': ['error', { devDependencies: false }],
    },
  },
  {
    files: ['schema.graphql'],
    languageOptions: {
      parser: graphql.parser,
      parserOptions: { graphQLConfig: { schema: './schema.graphql' } },
    },
    plugins: { '@graphql-eslint': graphql },
    rules: {
      ...graphql.configs['flat/schema-recommended'].rules,
      ...graphql.configs['flat/schema-relay'].rules,
      '@graphql-eslint/require-description': [
        'error',
        { types: true, FieldDefinition: true, InputValueDefinition: true, EnumValueDefinition: true },
      ],
      // Lines, lists of words and `nodes` of a connection are lists that have no pages. Some pages are of values, which are
      // no nodes: test/graphql/schema.test.ts knows which.
      '@graphql-eslint/relay-edge-types': [
        'error',
        { withEdgeSuffix: true, shouldImplementNode: false, listTypeCanWrapOnlyEdgeType: false },
      ],
      // The change log is followed in one direction.
      '@graphql-eslint/relay-arguments': ['error', { includeBoth: false }],
      // Names are those of the platforms' world and of REST: `Account.accountId` would say less without its first word.
      '@graphql-eslint/no-typename-prefix': 'off',
      '@graphql-eslint/strict-id-in-types': [
        'error',
        { exceptions: { suffixes: NO_IDENTITY, types: VALUES } },
      ],
    },
  },
);
