import type { PrismaClient } from '../db/__generated__/client.js';
import type { Category } from '../records/define.js';
import { organisationScope } from '../db/scope.js';
import type { SyncEngine } from './engine.js';
import { hasOpenSync, startSync } from './start-sync.js';
import { type Frequency, readSyncSettings, type SyncSetting } from './sync-config.js';

const DAYS: Readonly<Record<Frequency, number>> = { DAILY: 1, WEEKLY: 7, MONTHLY: 30, YEARLY: 365 };
const DAY_MS = 86_400_000;
const BATCH = 200;

/** Starts the automatic syncs that are due, over all organisations. Returns how many. */
export async function startDueSyncs({ database, log }: SyncEngine, now: Date): Promise<number> {
  let started = 0;
  for (let after = 0n; ;) {
    const connections = await healthyConnections(database.prisma, after);
    const last = connections[connections.length - 1];
    if (!last) return started;
    after = last.svcId;
    for (const connection of connections) {
      try {
        if (await startDueSync(database, connection, now)) started += 1;
      } catch (error) {
        log.warn(
          { err: error, connectionId: Number(connection.svcId) },
          'an automatic sync could not be started',
        );
      }
    }
  }
}

interface DueCandidate {
  readonly svcId: bigint;
  readonly svcOrganisationId: bigint;
  readonly svcCompanyId: bigint;
  readonly category: string;
  readonly syncMarks: readonly { readonly dataModel: string; readonly pulledTo: Date | null }[];
}

/** Only connections with credentials: others have nothing to sync from. */
function healthyConnections(prisma: PrismaClient, after: bigint): Promise<DueCandidate[]> {
  return prisma.connection.findMany({
    where: { svcId: { gt: after }, status: 'HEALTHY', credential: { isNot: null } },
    select: {
      svcId: true,
      svcOrganisationId: true,
      svcCompanyId: true,
      category: true,
      syncMarks: { select: { dataModel: true, pulledTo: true } },
    },
    orderBy: { svcId: 'asc' },
    take: BATCH,
  });
}

async function startDueSync(
  database: SyncEngine['database'],
  connection: DueCandidate,
  now: Date,
): Promise<boolean> {
  const scope = organisationScope(Number(connection.svcOrganisationId));
  const sql = database.sql(scope);
  const svcCompanyId = Number(connection.svcCompanyId);
  const connectionId = Number(connection.svcId);
  const settings = await readSyncSettings(
    database.client(scope),
    svcCompanyId,
    connection.category as Category,
  );
  const due = settings.filter((setting) => isDue(setting, connection, now)).map(({ dataModel }) => dataModel);
  if (due.length === 0 || (await hasOpenSync(sql, connectionId))) return false;
  await sql.transaction((transaction) =>
    startSync(transaction, {
      svcCompanyId,
      connectionId,
      syncType: 'AUTO_SYNC',
      fullSync: false,
      syncFrom: null,
      dataModels: due,
    }),
  );
  return true;
}

/** A record type that was never synced is the matter of the sync that connecting starts. */
function isDue(
  { dataModel, enabled, frequency, interval }: SyncSetting,
  connection: DueCandidate,
  now: Date,
): boolean {
  const mark = connection.syncMarks.find((one) => one.dataModel === dataModel);
  if (!enabled || !mark?.pulledTo) return false;
  return now.getTime() - mark.pulledTo.getTime() >= DAYS[frequency] * interval * DAY_MS;
}
