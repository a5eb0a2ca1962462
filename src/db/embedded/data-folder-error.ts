/**
 * The embedded database cannot be used in its current state. The message alone tells the operator why and what to do.
 */
export class DataFolderError extends Error {
  override name = 'DataFolderError';
}

/** Without `instanceof`: under jest, Node's own errors belong to another realm. */
export function errorMessage(error: unknown): string {
  const { message } = (error ?? {}) as { readonly message?: unknown };
  return typeof message === 'string' ? message : String(error);
}
