import base from './jest.config.js';

/**
 * The suite on a Citus cluster (npm run test:cluster, docs/scale.md), and what is true of clusters only. Some of it does not
 * apply there.
 */
const DOES_NOT_APPLY = [
  // The plans of one PostgreSQL; those of a cluster: test/cluster/plans.test.ts.
  '<rootDir>/test/query/explain.test.ts',
];

export default {
  ...base,
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  testPathIgnorePatterns: ['<rootDir>/test/prism/', '<rootDir>/test/vendure/', ...DOES_NOT_APPLY],
  globalSetup: '<rootDir>/test/cluster/global-setup.js',
  globalTeardown: '<rootDir>/test/cluster/global-teardown.js',
};
