import pg from 'pg';
import { startApp, testDatabaseUrl } from '../support/service.js';

/**
 * The service on the cluster of the file that imports this, once that is there: `./own-cluster.js` says where it is, so it
 * comes first, and this by `await import`.
 */
export async function startService() {
  const app = await startApp();
  const owner = new pg.Client({ connectionString: testDatabaseUrl() });
  await owner.connect();
  return {
    app,
    owner,
    /** Which worker has the row of a company or organisation, by the port. */
    workerOf: async (table: string, svcId: number): Promise<string> => {
      const { rows } = await owner.query<{ port: number }>(
        `SELECT nodeport AS port FROM citus_shards
         WHERE shardid = get_shard_id_for_distribution_column($1::regclass, $2::bigint)`,
        [table, svcId],
      );
      return String(rows[0]?.port);
    },
    close: async () => {
      await owner.end();
      await app.close();
    },
  };
}
