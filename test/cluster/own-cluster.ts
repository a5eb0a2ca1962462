import { randomBytes } from 'node:crypto';
import { makeTemplate } from '../support/template.js';
import { startCluster } from './citus.js';

/** Programs of a PostgreSQL that has Citus. */
export const bin = process.env['TEST_CLUSTER_BIN'] ?? '';

/** A cluster of the file that imports this, which ends a node of it: those of other files go on. */
export const cluster = await startCluster(bin);

await makeTemplate(
  cluster.url,
  `svc_test_${randomBytes(4).toString('hex')}`,
  cluster.nodes.map(({ url }) => url),
);
