import type { Logger } from '../log.js';
import type { PlatformServices } from '../platforms/open-connection.js';

/** What syncs work with, in every process that runs them. */
export interface SyncEngine extends PlatformServices {
  readonly log: Logger;
  readonly settings: SyncSettings;
}

export interface SyncSettings {
  /** The largest share of a record type that a search for deleted records may remove at once. */
  readonly maxDeletedShare: number;
  /** Where deletions only show in a list of all ids, that list is read this often on incremental syncs. */
  readonly sweepHours: number;
}

/**
 * States of a run (design section 6). The documented REST paths show fewer: INTERRUPTED and SLEEPING read RUNNING,
 * PARTIAL_SUCCESS reads FAILED, PENDING reads CREATED.
 */
export const SYNC_STATES = [
  'PENDING',
  'RUNNING',
  'SLEEPING',
  'INTERRUPTED',
  'SUCCESS',
  'PARTIAL_SUCCESS',
  'FAILED',
] as const;
export type SyncState = (typeof SYNC_STATES)[number];

export const OPEN_STATES: readonly SyncState[] = ['PENDING', 'RUNNING', 'SLEEPING', 'INTERRUPTED'];

/** A run, as jobs name it. */
export interface SyncKey {
  readonly svcCompanyId: number;
  readonly syncSvcId: number;
}

/** Another worker has taken the run over, or it is gone: whatever this one still holds must not be stored. */
export class FencedError extends Error {
  override readonly name = 'FencedError';
  constructor() {
    super('another worker has taken this sync over, or it was removed');
  }
}
