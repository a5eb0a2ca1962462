import { createHash } from 'node:crypto';
import { stringify } from 'safe-stable-stringify';

/** The planned write. */
export interface PlannedWrite {
  readonly company_id: number;
  readonly data_model: string;
  readonly operation: 'CREATE' | 'UPDATE';
  readonly items: readonly Readonly<Record<string, unknown>>[];
}

/** Identifies exactly this write: proves that it was planned and not changed since. */
export function confirmationOf({ company_id, data_model, operation, items }: PlannedWrite): string {
  const text = stringify({ company_id, data_model: data_model.toUpperCase(), operation, items }) ?? '';
  return createHash('sha256').update(text).digest('base64url').slice(0, 22);
}
