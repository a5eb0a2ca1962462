import base from './jest.config.js';

/** The suite of connectors against a true Vendure server (npm run test:vendure). */
export default {
  ...base,
  testMatch: ['<rootDir>/test/vendure/**/*.test.ts'],
  testPathIgnorePatterns: [],
  maxWorkers: 1,
  // It needs no database.
  globalSetup: undefined,
  globalTeardown: undefined,
};
