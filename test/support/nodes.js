import pg from 'pg';

/**
 * Databases on every node of a Citus cluster, for `npm run test:cluster`: PostgreSQL copies each node's part, and which shard
 * is where is the same in the copy. Otherwise the server is the only node.
 */

/** Does the same on each node. */
export async function onEachNode(nodes, statement) {
  await Promise.all(nodes.map((url) => withClient(url, (client) => client.query(statement))));
}

/** Makes a database, which all nodes have, that of a cluster, whose coordinator is the first of them. */
export async function joinNodes(nodes, database) {
  const urls = nodes.map((url) => Object.assign(new URL(url), { pathname: `/${database}` }));
  for (const url of urls) await withClient(url.href, (client) => client.query('CREATE EXTENSION citus'));
  const [coordinator, ...workers] = urls;
  await withClient(coordinator.href, async (client) => {
    await client.query('SELECT citus_set_coordinator_host($1, $2)', [coordinator.hostname, coordinator.port]);
    for (const { hostname, port } of workers) {
      await client.query('SELECT citus_add_node($1, $2)', [hostname, port]);
    }
  });
}

/** From here on nobody is connected to it, Citus's own process included: PostgreSQL copies nothing that is in use. */
export async function closeDatabase(nodes, database) {
  await onEachNode(nodes, `ALTER DATABASE ${database} ALLOW_CONNECTIONS false`);
  await onEachNode(
    nodes,
    `SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity WHERE datname = '${database}'`,
  );
}

export async function withClient(url, work) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
