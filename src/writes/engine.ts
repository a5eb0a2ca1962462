import type { Config } from '../config/config.js';
import type { ChangedObjects } from '../connectors/hooks.js';
import type { Database } from '../db/database.js';
import type { Scope } from '../db/scope.js';
import type { FileStore } from '../files/file-store.js';
import type { Logger } from '../telemetry/log.js';
import type { ConnectionKey } from '../platforms/budget.js';
import type { PlatformServices } from '../platforms/open-connection.js';
import type { Category } from '../records/define.js';

/** Waiting times for a platform. */
export interface WritePatience {
  /** For it to take a file. */
  readonly fileMilliseconds: number;
  /** For it to carry out a request without an answer. */
  readonly lateMilliseconds: number;
}

export const patienceOf = ({ limits, lateAnswerSeconds }: Config): WritePatience => ({
  fileMilliseconds: limits.fileMilliseconds,
  lateMilliseconds: lateAnswerSeconds * 1000,
});

/** Services used by writes, in every process that sends them. */
export interface WriteEngine extends PlatformServices {
  readonly log: Logger;
  /** Store of the files to send. */
  readonly files: FileStore;
  readonly patience: WritePatience;
  /** Queues a sync for records that the platform has changed along with the written ones. */
  readonly readChanged: (
    database: Database,
    scope: Scope,
    connection: ConnectionKey & { readonly category: Category },
    changes: ChangedObjects,
  ) => Promise<unknown>;
}

/** The platform's idempotency key, and the marker in the created object. */
export const markerOf = (jobId: string): string => `svc-${jobId}`;
