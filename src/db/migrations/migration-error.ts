/** The database's migrations are in a state from which this program must not continue. The message tells what to do. */
export class MigrationError extends Error {
  override name = 'MigrationError';
}
