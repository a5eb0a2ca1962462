import { createNodeResolver, importX } from 'eslint-plugin-import-x';
import tseslint from 'typescript-eslint';

/** Imports point down: each layer may use the ones after it, never the ones before (see docs/architecture.md). */
const LAYERS = [
  ['main.ts', 'cli'],
  ['start.ts', 'failure.ts'],
  ['cluster.ts'],
  ['app.ts', 'worker.ts', 'demo', 'sandbox'],
  ['http'],
  ['rest'],
  ['graphql'],
  ['context.ts', 'operations', 'loaders', 'platforms', 'connect', 'sync', 'writes', 'jobs'],
  ['query'],
  ['connectors'],
  ['records'],
  ['db', 'files'],
  ['secrets', 'errors.ts', 'values.ts', 'raw-json.ts', 'limits.ts', 'log.ts', 'package-path.ts', 'config.ts'],
];
/** What a layer may not use although it stands below. */
const FORBIDDEN = [{ target: 'connectors', from: 'db', message: 'Connectors do not know the database.' }];

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
    from: `./src/${from}`,
    message,
  })),
].filter(({ from }) => from.length > 0);

/** Only these may reach the pool and the unscoped Prisma client of tenant tables. */
const CHOKE_POINT = [
  'src/db/**',
  'src/operations/api-keys.ts',
  'src/operations/organisations.ts',
  'src/operations/rotate-secrets.ts',
  'src/jobs/**',
  'src/connect/find-link.ts',
  'src/sync/schedule.ts',
  'src/sync/mark-interrupted.ts',
  'src/writes/forget-keys.ts',
  'src/demo/**',
  'src/sandbox/**',
  'src/cli/**',
  'src/start.ts',
  'src/http/**',
];

export default tseslint.config(
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
    files: ['src/**/*.ts', 'test/**/*.ts'],
    extends: [tseslint.configs.recommendedTypeChecked],
    plugins: { 'import-x': importX },
    languageOptions: { parserOptions: { project: './tsconfig.eslint.json' } },
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
      'import-x/no-cycle': ['error', { ignoreExternal: true }],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      // GraphQL hooks and Fastify handlers are asynchronous by signature.
      '@typescript-eslint/require-await': 'off',
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'no-console': 'error',
      'no-control-regex': 'off',
    },
  },
  {
    files: ['src/**/*.ts'],
    ignores: CHOKE_POINT,
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              group: ['**/db/pool.js', '**/db/__generated__/client.js', 'pg'],
              message: 'Tenant tables are reached by TenantSql and the scoped client only.',
            },
          ],
        },
      ],
    },
  },
  {
    files: ['test/**/*.ts'],
    rules: {
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-explicit-any': 'off',
    },
  },
);
