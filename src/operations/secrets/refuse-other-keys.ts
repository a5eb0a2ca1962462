import type { PrismaClient } from '../../db/__generated__/client.js';
import { AppError } from '../../errors.js';
import type { SecretBox } from '../../secrets/secret-box.js';
import { SEALED } from './rotate-secrets.js';

/**
 * Throws where a sealed value of the database does not open: with other keys everything would start, and each write would
 * end as failed for good. One value of each table is tried.
 */
export async function refuseOtherKeys(prisma: PrismaClient, secrets: SecretBox): Promise<void> {
  for (const table of SEALED) {
    for await (const { sealed, place } of table.values(prisma)) {
      try {
        secrets.open(sealed, place);
      } catch (error) {
        throw new AppError(
          'invalid-params',
          `SECRET_KEYS do not fit this database: none of them opens what is sealed in ${table.name}. ` +
            'Start with the keys it was used with, or with its DATA_DIR',
          'SECRET_KEYS',
          { cause: error },
        );
      }
      break;
    }
  }
}
