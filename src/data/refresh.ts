import { withMigrationLock } from '../db/migrations/lock.js';

/** Keeps the views of data users, where there are some, as the definitions of this build have them. Needs a migrated database. */
export function refreshDataViews(ownerUrl: string): Promise<void> {
  return withMigrationLock(ownerUrl, async (owner) => {
    const { rows } = await owner.query(`SELECT FROM pg_namespace WHERE nspname = 'data'`);
    // Imported where it is needed: most services have no data users.
    if (rows.length > 0) await (await import('./prepare.js')).prepareDataViews(owner);
  });
}
