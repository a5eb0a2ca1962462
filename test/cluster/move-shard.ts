import type pg from 'pg';

/** Moves the shard in which a value is to the other worker, and those that go with it. */
export async function moveShard(owner: pg.Client, table: string, value: number): Promise<void> {
  const { rows } = await owner.query<{ shard: string; name: string; port: number }>(
    `SELECT shardid AS shard, nodename AS name, nodeport AS port FROM citus_shards
     WHERE shardid = get_shard_id_for_distribution_column($1::regclass, $2::bigint)`,
    [table, value],
  );
  const [from] = rows;
  const { rows: others } = await owner.query<{ name: string; port: number }>(
    `SELECT nodename AS name, nodeport AS port FROM pg_dist_node WHERE groupid > 0 AND nodeport <> $1`,
    [from?.port],
  );
  await owner.query(`SELECT citus_move_shard_placement($1, $2, $3, $4, $5, 'force_logical')`, [
    from?.shard,
    from?.name,
    from?.port,
    others[0]?.name,
    others[0]?.port,
  ]);
}
