import type { UnifiedRecord } from '../../connectors/connector.js';

/** The records of a demo connection by data model, in the order in which they are stored. */
export type DemoRecords = ReadonlyMap<string, readonly UnifiedRecord[]>;
