import type { PrismaClient } from '../db/__generated__/client.js';

/** Runs whose worker died say so until another worker takes them. */
export async function markInterrupted(prisma: PrismaClient, workerIds: readonly string[]): Promise<void> {
  await prisma.sync.updateMany({
    where: { state: 'RUNNING', workerId: { in: [...workerIds] } },
    data: { state: 'INTERRUPTED', svcUpdatedAt: new Date() },
  });
}
