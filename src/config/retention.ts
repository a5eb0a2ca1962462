import { integer, type Parser, Problem } from './parsers.js';
import type { Variables } from './variables.js';

/** Days to keep each; 0: for ever. Idempotency keys and authorisations have their own lifetimes. */
export interface Retention {
  readonly changes: number;
  readonly syncs: number;
  readonly uploads: number;
  readonly files: number;
  readonly audit: number;
  readonly deliveries: number;
}

const days = integer(0, 36_500);
const uploadDays: Parser<number> = (text) => {
  const value = days(text);
  return value instanceof Problem || value === 0 || value >= 31
    ? value
    : new Problem('31 days or more, or 0');
};

export const readRetention = (variables: Variables): Retention => ({
  changes: variables.read('RETENTION_CHANGES_DAYS', days, 90),
  syncs: variables.read('RETENTION_SYNCS_DAYS', days, 365),
  // Idempotency keys are deleted with their upload, and are valid for 30 days.
  uploads: variables.read('RETENTION_UPLOADS_DAYS', uploadDays, 365),
  files: variables.read('RETENTION_FILES_DAYS', days, 365),
  audit: variables.read('RETENTION_AUDIT_DAYS', days, 365),
  deliveries: variables.read('RETENTION_DELIVERIES_DAYS', days, 30),
});
