import type { PrismaClient } from '../db/__generated__/client.js';
import type { SyncState } from '../runs/states.js';

const FROM: SyncState = 'RUNNING';
const TO: SyncState = 'INTERRUPTED';

/** Runs whose worker died say so until another worker takes them. */
export async function markInterrupted(prisma: PrismaClient, workerIds: readonly string[]): Promise<void> {
  await prisma.sync.updateMany({
    where: { state: FROM, workerId: { in: [...workerIds] } },
    data: { state: TO, svcUpdatedAt: new Date() },
  });
}
