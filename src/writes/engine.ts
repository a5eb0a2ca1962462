import type { FileStore } from '../files/file-store.js';
import type { Logger } from '../log.js';
import type { PlatformServices } from '../platforms/open-connection.js';

/** What writes work with, in every process that sends them. */
export interface WriteEngine extends PlatformServices {
  readonly log: Logger;
  /** Where the files are that are sent. */
  readonly files: FileStore;
  /** For a platform to take one. */
  readonly fileMilliseconds: number;
}

/** What stands in the platform's idempotency key, and in what is created as its marker. */
export const markerOf = (jobId: string): string => `svc-${jobId}`;
