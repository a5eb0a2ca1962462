import pg from 'pg';
import { RawJson } from '../../base/raw-json.js';

/**
 * Converts timestamps: `2026-11-21 10:50:30.12+00` becomes `2026-11-21T10:50:30.120Z`. The session's time zone is UTC
 * and the columns have milliseconds, so that slicing is enough.
 */
export function isoTimestamp(text: string): string {
  const day = text.slice(0, 10);
  if (text.length === 26) return `${day}T${text.slice(11, 23)}Z`;
  if (text.length === 22) return `${day}T${text.slice(11, 19)}.000Z`;
  return `${day}T${text.slice(11, 19)}.${text.slice(20, -3).padEnd(3, '0')}Z`;
}

const asText = (text: string): string => text;
const textArray = pg.types.getTypeParser(1009 as number) as (text: string) => string[];

/** PostgreSQL type id to reader, for hot reads: no Date and no Decimal objects. */
const readers = new Map<number, (text: string) => unknown>([
  [16, (text) => text === 't'],
  [20, Number],
  [23, Number],
  [114, (text) => new RawJson(text)],
  [1009, (text) => textArray(text)],
  [1184, isoTimestamp],
  [3802, (text) => new RawJson(text)],
]);

export const readTypes = {
  getTypeParser: (oid: number) => readers.get(oid) ?? asText,
};
