import { type PlatformObject } from '../platform.js';
import { sum } from '../values/decimals.js';
import { decimalOf, objectOf, textOf } from '../values/platform-values.js';
import { calendarDayOf } from './dates.js';

/** Key under which an allocation holds its prepayment or overpayment. */
export const ALLOCATION_OF = 'AllocationOf';
/** Key in it for the number of an allocation among identical ones, from the second on. */
export const TIME = 'Time';

/**
 * The id of an allocation; null if nothing distinguishes it. Those without an id from Xero get one from their advance
 * payment, invoice, day and amount: an allocation never changes.
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

/** Whether the text has the form of our own id for an allocation. */
export const isOwnAllocationId = (id: string): boolean => /^[\w-]+:[\w-]+:\d{4}-\d{2}-\d{2}:/.test(id);
