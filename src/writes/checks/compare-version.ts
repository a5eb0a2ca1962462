import { Decimal } from 'decimal.js';

import type { PlatformObject } from '../../connectors/platform.js';
import { expectedVersionOf } from '../../connectors/push.js';
import type { FieldKind, RecordDefinition } from '../../records/define.js';
import type { IncomingRecord } from '../../store/ready-batch.js';
import type { ItemRow } from '../item-state.js';
import { type Outcome, unknownError } from '../sending/outcome.js';
import { type CompareOptions, conflictWith, readCurrent, staleRecord } from './stale.js';

/** Result of comparing a record with the expected version. */
interface VersionComparison {
  /** Null if the change may be sent. */
  readonly outcome: Outcome | null;
  /** The compared record: the request must be based on it, not on a later version. */
  readonly read?: PlatformObject | undefined;
}

/**
 * Compares the version that a change expects with the record's current one. For a change that may have been sent before,
 * the record itself shows whether it was carried out.
 */
export async function compareVersion(
  comparing: CompareOptions,
  item: Pick<ItemRow, 'firstSentAt'>,
  input: Readonly<Record<string, unknown>>,
): Promise<VersionComparison> {
  const expected = expectedVersionOf(input);
  const platformId = input['platform_id'];
  if (expected === null || typeof platformId !== 'string') return { outcome: null };
  const current = await readCurrent(comparing, platformId);
  if (!current || current.version === expected) return { outcome: null, read: current?.read?.object };
  const { title, resource } = comparing;
  if (item.firstSentAt === null) {
    const stale = await staleRecord(comparing, platformId, { expected, current });
    return { outcome: { kind: 'refused', problem: conflictWith(stale, title) } };
  }
  const { read } = current;
  if (read && isAsAsked(resource.definition, input, read.record))
    return { outcome: { kind: 'written', object: read.object } };
  const problem = unknownError(
    `${title} did not answer when the record was sent, and the record has changed since: check it there`,
  );
  return { outcome: { kind: 'unknowable', problem } };
}

const KEYS = ['platform_id', 'expected_version'];

/** Whether the record has all values of a change; also false if the change has more than plain fields. */
function isAsAsked(
  { own }: RecordDefinition,
  input: Readonly<Record<string, unknown>>,
  { values }: Pick<IncomingRecord, 'values'>,
): boolean {
  const fields = new Map(Object.entries(own).map(([name, { wire, kind }]) => [wire, { name, kind }]));
  const has: Readonly<Record<string, unknown>> = values;
  return Object.entries(input).every(([wire, asked]) => {
    const field = fields.get(wire);
    return KEYS.includes(wire) || (field !== undefined && isSame(field.kind, asked, has[field.name]));
  });
}

function isSame(kind: FieldKind, asked: unknown, has: unknown): boolean {
  if (typeof asked === 'boolean') return asked === has;
  if (typeof asked !== 'string' || typeof has !== 'string') return false;
  switch (kind) {
    case 'decimalNumber':
    case 'decimalText':
      return new Decimal(asked).equals(has);
    case 'date':
    case 'timestamp':
      return asked === has.slice(0, asked.length);
    default:
      return asked === has;
  }
}
