import { withMigrationLock } from '../db/migrations/lock.js';

/** Updates the views of data users, if there are any, to this build's definitions. Needs a migrated database. */
export function refreshDataViews(ownerUrl: string): Promise<void> {
  return withMigrationLock(ownerUrl, async (owner) => {
    const { rows } = await owner.query(`SELECT FROM pg_namespace WHERE nspname = 'data'`);
    // Imported lazily: most services have no data users.
    if (rows.length > 0) await (await import('./prepare.js')).prepareDataViews(owner);
  });
}
