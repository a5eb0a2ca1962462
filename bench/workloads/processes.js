import { listTargets } from './list.js';
import { paymentsQuery } from './payments.js';
import { startServer } from '../processes.js';

const SETTINGS = {
  LIMIT_REQUESTS_PER_MINUTE: '0',
  LIMIT_ORGANISATION_REQUESTS_PER_MINUTE: '0',
  DEMO_DATA: 'off',
  LOG_LEVEL: 'warn',
  HOST: '127.0.0.1',
};

/** The list of W1 again, from one process and from two on the same port. */
export const processes = {
  title: 'W1 from one process and from two (WORKERS=2)',
  targets: async (bench) => {
    const two = await startServer('two', '../dist/main.js', {
      DATABASE_URL: bench.databaseUrl,
      WORKERS: '2',
      ...SETTINGS,
    });
    const list = { statement: 'payments', list: 'billPayments', size: 100, query: paymentsQuery() };
    const [limit, ours] = await listTargets(bench, list);
    const server = { ...two, databaseName: 'unified-financial-data-service' };
    return [
      limit,
      { ...ours, name: 'one process', usual: undefined },
      { ...ours, name: 'two processes', server, usual: 'one process' },
    ];
  },
};
