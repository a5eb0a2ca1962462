/**
 * The embedded database cannot be used in its current state. The message alone tells the operator why and what to do.
 */
export class DataFolderError extends Error {
  override name = 'DataFolderError';
}

/** The code of a system or PostgreSQL error, such as `EACCES` or `57P03`. */
export function errorCode(error: unknown): string | undefined {
  const code = property(error, 'code');
  return typeof code === 'string' ? code : undefined;
}

export function errorMessage(error: unknown): string {
  const message = property(error, 'message');
  return typeof message === 'string' ? message : String(error);
}

/** Without `instanceof`: under jest, Node's own errors belong to another realm. */
function property(error: unknown, name: string): unknown {
  return typeof error === 'object' && error !== null ? Reflect.get(error, name) : undefined;
}
