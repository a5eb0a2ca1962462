import { createScope } from '../db/scope.js';
import { AppError } from '../errors.js';
import { retrySync } from '../sync/retry-sync.js';
import { retryUpload } from '../writes/retry-upload.js';
import { createProgram, runProgram, withDatabase } from './command.js';
import type { OperatorDatabase } from './database.js';
import { formatTable, formatTime } from './output.js';

const program = createProgram(
  'retry',
  `Lists syncs and writes that were given up after repeated worker crashes, or retries them.

  npm run retry                    lists them
  npm run retry -- --all           retries all of them
  npm run retry -- ID ID           retries these`,
)
  .argument('[ids...]', 'ids of syncs and uploads')
  .option('--all', 'retry all that were given up')
  .action(retry);

void runProgram(program);

interface GivenUp {
  readonly kind: 'sync' | 'write';
  readonly id: string;
  readonly organisation: bigint;
  readonly company: bigint;
  readonly endedAt: Date | null;
}

async function retry(ids: readonly string[], { all = false }: { all?: boolean }): Promise<void> {
  await withDatabase(async (database) => {
    const found = await givenUp(database);
    const unknown = ids.find((id) => !found.some((one) => one.id === id));
    if (unknown !== undefined)
      throw new AppError('not-found', `${unknown} was not given up: npm run retry shows what was`);
    const chosen = all ? found : found.filter(({ id }) => ids.includes(id));
    for (const { kind, id, organisation } of chosen) {
      const sql = database.sql(createScope(Number(organisation), null));
      await (kind === 'sync' ? retrySync(sql, id) : retryUpload(sql, id));
    }
    if (all || ids.length > 0) return void process.stdout.write(`${chosen.length} run again\n`);
    const rows = found.map(({ kind, id, organisation, company, endedAt }) => [
      kind,
      id,
      String(organisation),
      String(company),
      formatTime(endedAt, ''),
    ]);
    process.stdout.write(formatTable(['kind', 'id', 'organisation', 'company', 'given up'], rows));
  });
}

async function givenUp({ prisma }: OperatorDatabase): Promise<GivenUp[]> {
  const where = { state: 'GIVEN_UP' };
  const [syncs, uploads] = await Promise.all([
    prisma.sync.findMany({ where, orderBy: { svcId: 'asc' } }),
    prisma.upload.findMany({ where, orderBy: { svcId: 'asc' } }),
  ]);
  const common = (row: { svcOrganisationId: bigint; svcCompanyId: bigint; endedAt: Date | null }) => ({
    organisation: row.svcOrganisationId,
    company: row.svcCompanyId,
    endedAt: row.endedAt,
  });
  return [
    ...syncs.map((row) => ({ kind: 'sync' as const, id: row.syncId, ...common(row) })),
    ...uploads.map((row) => ({ kind: 'write' as const, id: row.uploadId, ...common(row) })),
  ];
}
