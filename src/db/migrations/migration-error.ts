/** The database's migrations stand in a way that this program must not go on from. The message tells the way out. */
export class MigrationError extends Error {
  override name = 'MigrationError';
}
