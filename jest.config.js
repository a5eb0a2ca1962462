import { TIME_FACTOR } from './test/support/time-factor.js';

/** Tests speak to real servers and databases; each file has a database of its own (see test/support). */
export default {
  testEnvironment: 'node',
  runtime: '<rootDir>/test/support/runtime.js',
  extensionsToTreatAsEsm: ['.ts'],
  watchman: false,
  // One more than there are cores to test on: many files wait for a process, a time-out or the disk most of their time.
  maxWorkers: 3,
  // A worker that has grown is replaced: from a large process a spawn takes twenty times as long, and the suite has hundreds.
  workerIdleMemoryLimit: '600MB',
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
  testPathIgnorePatterns: ['<rootDir>/test/cluster/', '<rootDir>/test/prism/', '<rootDir>/test/vendure/'],
  modulePathIgnorePatterns: ['<rootDir>/dist', '<rootDir>/.data', '<rootDir>/.cache'],
  globalSetup: '<rootDir>/test/support/global-setup.js',
  testSequencer: '<rootDir>/test/support/sequencer.js',
  globalTeardown: '<rootDir>/test/support/global-teardown.js',
  // A test that hangs fails; one on a slow machine does not.
  testTimeout: 180_000 * TIME_FACTOR,
};
