import { migrate } from '../../dist/db/migrations/index.js';
import { distribute } from '../../dist/shards/distribute.js';
import { startCluster } from '../../test/cluster/citus.js';
import { joinNodes, onEachNode, withClient } from '../../test/support/nodes.js';
import { makeData } from '../data/index.js';

const NAME = 'bench';

/** Settings of a production server. */
const SETTINGS = {
  fsync: 'on',
  shared_buffers: '1GB',
  max_wal_size: '2GB',
  'citus.shard_count': '32',
};

/**
 * Starts two databases with the same rows: one PostgreSQL, and a cluster of a coordinator and two workers with
 * distributed tables.
 */
export async function startDatabases(bin, { rows, raw }) {
  const started = [];
  const stop = () => Promise.all(started.map((nodes) => nodes.stop()));
  const start = async (workers) => {
    const nodes = await startCluster(bin, { workers, settings: SETTINGS });
    started.push(nodes);
    return { nodes: nodes.nodes, url: await fill(nodes.nodes, { rows, raw }) };
  };
  try {
    // Spreading takes twice the space until the local copies are gone: the other database comes after it.
    const cluster = await start(2);
    return { cluster, plain: await start(0), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function fill(nodes, data) {
  const servers = nodes.map(({ url }) => url);
  const urls = servers.map((server) => Object.assign(new URL(server), { pathname: `/${NAME}` }).href);
  const [url] = urls;
  const isCluster = nodes.length > 1;
  await onEachNode(servers, `CREATE DATABASE ${NAME}`);
  if (isCluster) await joinNodes(servers, NAME);
  await migrate(url);
  await withClient(url, async (client) => {
    await makeData(client, data);
    if (!isCluster) return;
    const start = Date.now();
    await distribute(client, { dryRun: false, tell: () => process.stderr.write('.') });
    process.stderr.write(` spread in ${Math.round((Date.now() - start) / 1000)} s\n`);
  });
  return url;
}
