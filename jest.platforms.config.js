import base from './jest.config.js';

/** Tests on input that nobody here wrote: official API descriptions, served by Prism (npm run test:platforms). */
export default {
  ...base,
  testMatch: ['<rootDir>/test/prism/**/*.test.ts'],
  testPathIgnorePatterns: [],
  maxWorkers: 1,
  globalSetup: '<rootDir>/test/prism/global-setup.js',
  globalTeardown: '<rootDir>/test/prism/global-teardown.js',
};
