import type { PrismaClient } from '../db/__generated__/client.js';

/** How long a key holds. */
const KEY_DAYS = 30;

/** Forgets idempotency keys that no caller may count on any more. */
export async function forgetOldKeys(prisma: PrismaClient): Promise<void> {
  await prisma.$executeRaw`DELETE FROM idempotency_keys WHERE created_at < now() - ${KEY_DAYS}::int * interval '1 day'`;
}
