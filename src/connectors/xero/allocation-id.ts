import { type PlatformObject } from '../connector.js';
import { sum } from '../decimals.js';
import { decimalOf, objectOf, textOf } from '../platform-values.js';
import { calendarDayOf } from './dates.js';

/** Where an allocation has what it is of. */
export const ALLOCATION_OF = 'AllocationOf';
/** Where in it stands which one it is of those that say the same, from the second on. */
export const TIME = 'Time';

/**
 * The id of an allocation; null where nothing tells it from others. Xero gives some none: what was paid in advance, the
 * invoice, day and amount are theirs, as an allocation is never changed.
 */
export function allocationIdOf(allocation: PlatformObject): string | null {
  const id = textOf(allocation['AllocationID']);
  if (id !== null) return id;
  const advance = objectOf(allocation[ALLOCATION_OF]);
  const parts = [
    textOf(advance?.['PrepaymentID']) ?? textOf(advance?.['OverpaymentID']),
    textOf(objectOf(allocation['Invoice'])?.['InvoiceID']),
    calendarDayOf(allocation['DateString'], allocation['Date']),
    sum(decimalOf(allocation['Amount']), '0'),
  ];
  if (parts.includes(null)) return null;
  const time = decimalOf(advance?.[TIME]);
  return [...parts, ...(time === null ? [] : [time])].join(':');
}

/** Whether it can be the id of an allocation that has none of Xero's. */
export const isOwnAllocationId = (id: string): boolean => /^[\w-]+:[\w-]+:\d{4}-\d{2}-\d{2}:/.test(id);
