import { createGroup, runProgram, tell, withOpenDatabase } from './command.js';

const program = createGroup('cluster', 'Distributes the records over the workers of a Citus cluster.');

program
  .command('distribute')
  .description(
    'moves the tables of records and the change log to the workers of the cluster whose coordinator is DATABASE_URL, ' +
      'with their rows. The service must be stopped. Resumes after an interruption; skips tables already distributed',
  )
  .option('--dry-run', 'print the statements without running them')
  .addHelpText('after', '\nHow to set up a cluster, and when it is worth it: docs/scale.md')
  .action(distributeTables);

void runProgram(program);

async function distributeTables({ dryRun = false }: { readonly dryRun?: boolean }): Promise<void> {
  const [{ distribute, requireCluster }, { migrate }, { withClient }, { refuseInUse }] = await Promise.all([
    import('../shards/distribute.js'),
    import('../db/migrations/index.js'),
    import('../db/pool/client.js'),
    import('./database.js'),
  ]);
  await withOpenDatabase('attach', async ({ opened: { url } }) => {
    await withClient({ connectionString: url }, requireCluster);
    if (!dryRun) {
      await refuseInUse(url);
      await migrate(url);
    }
    const { spread, before } = await withClient({ connectionString: url }, (client) =>
      distribute(client, { dryRun, tell }),
    );
    process.stdout.write(
      `${spread} tables ${dryRun ? 'would be' : 'were'} spread over the workers; ${before} were already.\n`,
    );
  });
}
