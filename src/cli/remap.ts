import { createScope } from '../db/scope.js';
import type { Category } from '../records/define.js';
import { createProgram, createProgress, runProgram, withDatabase } from './command.js';
import { formatTable } from './output.js';

const program = createProgram(
  'remap',
  `Remaps records that an earlier version stored, from their raw data, without calling their platforms.
Updated records appear in change logs and webhooks like any other change.

  npm run remap`,
).action(remap);

void runProgram(program);

async function remap(): Promise<void> {
  const [{ connectorFor }, { remapOutdated }] = await Promise.all([
    import('../connectors/index.js'),
    import('../store/remap-records.js'),
  ]);
  await withDatabase(async (database) => {
    const connections = await database.prisma.connection.findMany({ orderBy: { svcId: 'asc' } });
    const rows: string[][] = [];
    const progress = createProgress();
    for (const [index, connection] of connections.entries()) {
      progress(`${index} of ${connections.length} connections`);
      const { svcId, svcOrganisationId, svcCompanyId, integrationType, category } = connection;
      const renewed = await remapOutdated({
        sql: database.sql(createScope(Number(svcOrganisationId), null)),
        connector: connectorFor(integrationType, category as Category),
        target: { svcCompanyId: Number(svcCompanyId), connectionId: Number(svcId), integrationType },
        syncId: null,
        hold: () => Promise.resolve(),
      });
      if (renewed > 0) rows.push([integrationType, String(svcId), String(svcCompanyId), String(renewed)]);
    }
    if (rows.length === 0) return void process.stdout.write('Every record is up to date.\n');
    process.stdout.write(formatTable(['integration', 'connection', 'company', 'records renewed'], rows));
  });
}
