import type { BackupTable } from './tables.js';

/**
 * A backup is a gzipped text: this line, the header as a line of JSON, for each of its tables a line `COPY ...`, its
 * rows in the text format of PostgreSQL's COPY and a line `\.`, and the counts as a last line of JSON. The rows can be
 * read with PostgreSQL's own tools; a file without its last line is incomplete.
 */
export const FIRST_LINE = 'Unified Financial Data Service, backup 1';

export interface BackupHeader {
  readonly madeAt: string;
  /** Migrations that created the tables; those of a newer build are applied after the rows are restored. */
  readonly migrations: readonly string[];
  /** Partitions of the change log, with their bounds. */
  readonly partitions: readonly { readonly name: string; readonly bounds: string }[];
  readonly sequences: readonly {
    readonly name: string;
    readonly value: string;
    readonly isCalled: boolean;
  }[];
  readonly tables: readonly BackupTable[];
  /** In base64, the encrypting one first; null if the backup has none. */
  readonly secretKeys: readonly string[] | null;
}

export interface BackupFooter {
  /** Row counts by table. */
  readonly rows: Readonly<Record<string, number>>;
}

export const END_OF_ROWS = '\\.';
