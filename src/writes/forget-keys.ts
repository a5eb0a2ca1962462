import type { PrismaClient } from '../db/__generated__/client.js';

/** How long a key holds. */
const KEY_DAYS = 30;

/** Forgets idempotency keys that no caller may count on any more. */
export async function forgetOldKeys(prisma: PrismaClient): Promise<void> {
  const before = new Date(Date.now() - KEY_DAYS * 86_400_000);
  await prisma.idempotencyKey.deleteMany({ where: { createdAt: { lt: before } } });
}
