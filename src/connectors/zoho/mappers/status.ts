import { type VOUCHER_STATUSES } from '../../../records/value-sets.js';
import { difference, isPositive } from '../../values/decimals.js';

type VoucherStatus = (typeof VOUCHER_STATUSES)[number];

const OPEN: ReadonlySet<unknown> = new Set([
  'sent',
  'viewed',
  'unpaid',
  'open',
  'overdue',
  'partially_paid',
  'pending_approval',
  'approved',
]);

/** The status of an invoice, bill or credit. Nothing is overdue: that depends on the day, which a record does not know. */
export function dueStatus(word: unknown, total: string | null, open: string | null): VoucherStatus {
  if (OPEN.has(word)) {
    return isPositive(open) && isPositive(difference(total, open)) ? 'PARTIALLY_PAID' : 'SUBMITTED';
  }
  switch (word) {
    case 'draft':
      return 'DRAFT';
    case 'paid':
    case 'closed':
      return 'PAID';
    case 'void':
      return 'VOID';
    default:
      return 'UNKNOWN';
  }
}

const ORDERED: ReadonlySet<unknown> = new Set([
  'open',
  'overdue',
  'partially_invoiced',
  'invoiced',
  'partially_billed',
  'billed',
  'closed',
  'pending_approval',
  'approved',
  'issued',
  'confirmed',
]);

/** The status of an order. A closed one is invoiced or billed, or was closed by hand: that says nothing about payment. */
export function orderStatus(word: unknown): VoucherStatus {
  if (ORDERED.has(word)) return 'SUBMITTED';
  if (word === 'draft') return 'DRAFT';
  return word === 'void' || word === 'cancelled' ? 'VOID' : 'UNKNOWN';
}
