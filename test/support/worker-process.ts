import { packagePath } from '../../src/package-path.js';
import { type ProcessOptions, type Running, startProcess } from './process.js';
import { TEST_SECRET_KEY, testDatabaseUrl, testFileDir } from './service.js';

/** A worker on this file's database, as a process that a test can kill. */
export const startWorkerProcess = ({ env, ...options }: ProcessOptions = {}): Running =>
  startProcess([packagePath('dist/main.js')], {
    ...options,
    env: {
      ...process.env,
      DATABASE_URL: testDatabaseUrl(),
      ROLE: 'worker',
      SECRET_KEYS: TEST_SECRET_KEY,
      FILE_DIR: testFileDir(),
      ALLOW_PRIVATE_ADDRESSES: 'true',
      DEMO_DATA: 'false',
      METRICS_ADDRESS: '0',
      ...env,
    },
  });
