import type { FileStore } from '../files/file-store.js';
import type { Logger } from '../log.js';
import type { PlatformServices } from '../platforms/open-connection.js';
import type { WriteHooks } from './hooks.js';

/** What writes work with, in every process that sends them. */
export interface WriteEngine extends PlatformServices {
  readonly log: Logger;
  readonly hooks: WriteHooks;
  /** Where the files are that are sent. */
  readonly files: FileStore;
  /** For a platform to take one. */
  readonly fileMilliseconds: number;
}

export type WriteOperation = 'CREATE' | 'UPDATE';

/** States of an upload; SLEEPING: its platform wants a pause, or an item is tried again later. */
export type UploadState = 'PENDING' | 'RUNNING' | 'SLEEPING' | 'SUCCESS' | 'PARTIAL_SUCCESS' | 'FAILED';

/**
 * States of an item. SENDING is committed before anything is sent: whoever finds it so does not know whether the
 * platform has it. UNCERTAIN is the same, known to be unknown: settled before it is sent again.
 */
export type ItemState = 'PENDING' | 'SENDING' | 'UNCERTAIN' | 'SUCCESS' | 'FAILED';

/** An upload, as jobs name it. */
export interface UploadKey {
  readonly svcCompanyId: number;
  readonly uploadSvcId: number;
}

/** What stands in the platform's idempotency key, and in what is created as its marker. */
export const markerOf = (jobId: string): string => `svc-${jobId}`;
