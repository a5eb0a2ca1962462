import type { Logger } from '../telemetry/log.js';
import type { PlatformServices } from '../platforms/open-connection.js';

/** Services used by syncs, in every process that runs them. */
export interface SyncEngine extends PlatformServices {
  readonly log: Logger;
  readonly settings: SyncSettings;
}

export interface SyncSettings {
  /** The maximum share of a record type that a search for deleted records may remove in one sync. */
  readonly maxDeletedShare: number;
  /** Where deletions show only in a list of all ids, incremental syncs read that list this often. */
  readonly sweepHours: number;
}
