import base from './jest.config.js';

/** What is true of one PostgreSQL, each with its reason. Files, and names of tests. */
export const FILES = [
  // The plans of one PostgreSQL; those of a cluster: test/cluster/plans.test.ts.
  'test/query/explain.test.ts',
  // Views on tables that are spread cannot ask whose login it is: createDataUser refuses.
  'test/data/data-users.test.ts',
  // It is one that cluster:distribute refuses.
  'test/cli/cluster.test.ts',
  // Lists have no tags, as nodes do not commit together; and what is spread takes no triggers, which watch the stamps.
  'test/http/condition.test.ts',
  'test/http/never-stale.test.ts',
  'test/store/stamps.test.ts',
];
export const NAMES = [
  // The nodes of this cluster let everybody in without a password.
  'does not wait for a login or a database that is not there',
  'keeps working while the key is being changed, in every process',
  'whose password somebody changed is no mistake of the caller',
  'a login that is given is used, unless it may do more than requests',
  // Made by a trigger, which what is spread does not take.
  'record types left a page apart by a dead worker each continue from their own page',
  'a sync goes on after a',
  'keeps jobs ended if the sync then fails to resolve codes',
  'a record type that is withheld while a sync reads an earlier one is not read',
  'a record type that is withheld while it is read',
  'a record type that is withheld when its last deleted records are removed has been read',
  'record types read together with one that is withheld',
  // Lists within several companies take a statement for each, where its rows are.
  'takes as many statements a field for all objects as for one',
  'takes as many statements a field as a page of one',
  // The feed asks there which records are shown, by a statement for each type.
  'costs a constant number of statements: one a level and record type',
  'reads of a record only what is selected of its type',
  'costs one statement, and one for each record type of the page',
  // Around a single statement goes a transaction there, which is not committed when the answer to the statement is lost.
  'a change whose answer was lost is told apart from one that was not made',
  // What is spread has no foreign keys: test/shards/placement.test.ts.
  'foreign keys carry the company, change nothing in other rows',
  'no row names a company of another organisation, also when its owner writes it',
];

/** The suite on a Citus cluster (npm run test:cluster, docs/scale.md), and what is true of clusters only. */
export default {
  ...base,
  testMatch: ['<rootDir>/test/**/*.test.ts'],
  testPathIgnorePatterns: ['test/prism/', 'test/vendure/', ...FILES].map((path) => `<rootDir>/${path}`),
  testNamePattern: `^(?!.*(${NAMES.join('|')}))`,
  globalSetup: '<rootDir>/test/cluster/global-setup.js',
  globalTeardown: '<rootDir>/test/cluster/global-teardown.js',
};
