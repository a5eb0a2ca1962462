import { createHash } from 'node:crypto';

/** PostgreSQL truncates longer names to this. */
const NAME_BYTES = 63;
const DIGEST_CHARACTERS = 8;

/** The role of a database's requests and jobs. */
export const runtimeRoleName = (database: string): string => databaseRoleName(database, 'runtime');

/** A role of one database: roles belong to the whole server, and several services may share one. */
export function databaseRoleName(database: string, purpose: string): string {
  const name = `svc_${database}_${purpose}`;
  if (Buffer.byteLength(name) <= NAME_BYTES) return name;
  const digest = createHash('sha256').update(database).digest('hex').slice(0, DIGEST_CHARACTERS);
  const fixed = `svc__${digest}_${purpose}`.length;
  // Drops a character that was cut in half.
  const start = Buffer.from(database)
    .subarray(0, NAME_BYTES - fixed)
    .toString()
    .replace(/\uFFFD$/, '');
  return `svc_${start}_${digest}_${purpose}`;
}
