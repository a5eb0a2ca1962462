import { codeOf } from '../errors.js';

/** Codes by which a disk refuses one file. */
const OF_ONE_FILE: ReadonlySet<string> = new Set([
  'EACCES',
  'EBUSY',
  'EISDIR',
  'ENOTDIR',
  'EPERM',
  'ERR_FS_EISDIR',
]);
/** Statuses by which a bucket refuses more than one file: it is not there, or asks for a pause. */
const OF_ALL_FILES: ReadonlySet<number> = new Set([404, 408, 429]);

/** Whether a store refused one file; after any other error nothing else can be expected to work either. */
export function isRefusal(error: unknown): boolean {
  const status = statusOf(error);
  if (status !== undefined) return status >= 400 && status < 500 && !OF_ALL_FILES.has(status);
  return OF_ONE_FILE.has(codeOf(error)) || (error instanceof Error && isRefusal(error.cause));
}

/** The status that a bucket answered with; undefined without an answer. */
export const statusOf = (error: unknown): number | undefined =>
  (error as { $metadata?: { httpStatusCode?: number } } | undefined)?.$metadata?.httpStatusCode;
