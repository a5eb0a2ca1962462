/** Tests speak to real servers and databases; each worker has a database of its own (see test/support). */
export default {
  testEnvironment: 'node',
  extensionsToTreatAsEsm: ['.ts'],
  watchman: false,
  maxWorkers: 2,
  transform: {
    '^.+\\.ts$': [
      '@swc/jest',
      {
        jsc: { target: 'es2022', parser: { syntax: 'typescript' } },
        module: { type: 'es6' },
        sourceMaps: 'inline',
      },
    ],
  },
  moduleNameMapper: { '^(\\.{1,2}/.*)\\.js$': '$1' },
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  testPathIgnorePatterns: ['<rootDir>/test/platforms/'],
  modulePathIgnorePatterns: ['<rootDir>/dist', '<rootDir>/.data', '<rootDir>/.cache'],
  globalSetup: '<rootDir>/test/support/global-setup.js',
  globalTeardown: '<rootDir>/test/support/global-teardown.js',
  // A test that hangs fails; one on a slow machine does not.
  testTimeout: 180_000,
};
