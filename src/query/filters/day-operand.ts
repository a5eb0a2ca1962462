import type { FieldPath } from '../../errors.js';
import { parseDayOrTime } from '../../base/values.js';

/** An operand that calendar days are compared with. */
interface DayOperand {
  /** The day in UTC. */
  readonly day: string;
  /** Whether it is a time after that day's midnight: after that day, and before the next one. */
  readonly isWithin: boolean;
}

export function parseDayOperand(value: unknown, path: FieldPath): DayOperand {
  const text = parseDayOrTime(value, path);
  return { day: text.slice(0, '2026-11-21'.length), isWithin: text.includes('T') };
}

/** How a day compares with a time within one: by that day, so that an index serves it. Null for operators without a time. */
export function withinDaySql(operator: string, column: string, bindDay: () => string): string | null {
  switch (operator) {
    case 'eq':
      return 'FALSE';
    case 'ne':
      return 'TRUE';
    case 'gt':
    case 'gte':
      return `${column} > ${bindDay()}`;
    case 'lt':
    case 'lte':
      return `${column} <= ${bindDay()}`;
    default:
      return null;
  }
}
