import type { UnifiedRecord } from '../../connectors/pull.js';

/** The records of a demo connection by data model, in the order in which they are stored. */
export type DemoRecords = ReadonlyMap<string, readonly UnifiedRecord[]>;
