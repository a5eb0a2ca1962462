import pg from 'pg';

/**
 * Databases on every node of a Citus cluster, for `npm run test:cluster`: PostgreSQL copies each node's part, and the
 * copy keeps the placement of shards. Without a cluster, the server is the only node.
 */

/** Runs a statement on each node. */
export async function onEachNode(nodes, statement) {
  await Promise.all(nodes.map((url) => withClient(url, (client) => client.query(statement))));
}

/** Turns a database that exists on all nodes into that of a cluster; the first node is the coordinator. */
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

/** Closes a database to all connections, including Citus's own process: PostgreSQL cannot copy one in use. */
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
