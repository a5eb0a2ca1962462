import base from './jest.config.js';

/** Tests on input that nobody here wrote: official API descriptions, served by Prism (npm run test:platforms). */
export default {
  ...base,
  testMatch: ['<rootDir>/test/platforms/**/*.test.ts'],
  testPathIgnorePatterns: [],
  maxWorkers: 1,
  globalSetup: '<rootDir>/test/platforms/global-setup.js',
  globalTeardown: '<rootDir>/test/platforms/global-teardown.js',
};
