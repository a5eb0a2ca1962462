import type { RecordDefinition } from '../records/define.js';

/**
 * The version of the record under `alias`: the platform's own if it has one, else the record's change time there, else
 * the hash of its JSON.
 */
export function versionSql(definition: RecordDefinition, alias: string): string {
  const hasStamp = Object.hasOwn(definition.own, 'updatedAt');
  const stamp = `to_char(${alias}.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
  return `COALESCE(${alias}.platform_version, ${hasStamp ? `${stamp}, ` : ''}${alias}.data_hash)`;
}

interface Versioned {
  readonly version?: string | null;
  readonly values: object;
  readonly dataHash: string;
}

/** The same of a record that is not stored yet. */
export function versionOf({ version, values, dataHash }: Versioned): string {
  const stamp = 'updatedAt' in values ? values.updatedAt : null;
  return version ?? (typeof stamp === 'string' ? new Date(stamp).toISOString() : dataHash);
}
