import type { UnifiedRecord } from '../../../connectors/pull.js';
import type {
  paymentBalance,
  paymentDispute,
  paymentPayout,
  paymentRefund,
  paymentTransaction,
} from '../../../records/index.js';
import type { PayObject } from '../objects.js';
import { currencyOf, toMinor, toUnix } from './amounts.js';
import type { IdOf, Words } from './words.js';

const REFUND_STATES: Words = { PENDING: 'pending', SUCCESS: 'succeeded', FAILED: 'failed' };
const DISPUTE_STATES: Words = {
  WON: 'won',
  LOST: 'lost',
  PENDING: 'under_review',
  OPEN: 'needs_response',
  CLOSED: 'closed',
};
const PAYOUT_STATES: Words = { CREATED: 'in_transit', SUCCESS: 'paid', FAILED: 'failed' };

export function toRefund(record: UnifiedRecord, idOf: IdOf): PayObject {
  const { values } = record as UnifiedRecord<typeof paymentRefund>;
  const currency = currencyOf(values);
  const own = {
    amount: toMinor(values.amount, currency),
    currency,
    payment: values.paymentId == null ? null : idOf('pay', values.paymentId),
    description: values.description,
    status: REFUND_STATES[values.status ?? ''],
  };
  const created = toUnix(values.createdAt);
  return { id: idOf('re', record.platformId), object: 'refund', created, ...own, metadata: {} };
}

export function toDispute(record: UnifiedRecord, idOf: IdOf): PayObject {
  const { values } = record as UnifiedRecord<typeof paymentDispute>;
  const currency = currencyOf(values);
  const own = {
    amount: toMinor(values.amount, currency),
    currency,
    payment: values.paymentId == null ? null : idOf('pay', values.paymentId),
    reason: values.reasonCode,
    reason_text: values.reasonDescription,
    status: DISPUTE_STATES[values.status ?? ''],
  };
  const created = toUnix(values.createdAt);
  return { id: idOf('dp', record.platformId), object: 'dispute', created, ...own, metadata: {} };
}

export function toPayout(record: UnifiedRecord, idOf: IdOf): PayObject {
  const { values } = record as UnifiedRecord<typeof paymentPayout>;
  const currency = currencyOf(values);
  const own = {
    amount: toMinor(values.amount, currency),
    currency,
    description: values.description,
    status: PAYOUT_STATES[values.status ?? ''],
  };
  const created = toUnix(values.createdAt);
  return { id: idOf('po', record.platformId), object: 'payout', created, ...own, metadata: {} };
}

/** The id prefix of a transaction's source, by its type. */
const SOURCES: Words = { PAYMENT: 'pay', FEE: 'pay', REFUND: 're', DISPUTE: 'dp' };

export function toTransaction(record: UnifiedRecord, idOf: IdOf): PayObject {
  const { values } = record as UnifiedRecord<typeof paymentTransaction>;
  const currency = currencyOf(values);
  const own = {
    amount: toMinor(values.amount, currency),
    currency,
    type: values.type?.toLowerCase(),
    description: values.description,
    source: values.source == null ? null : idOf(SOURCES[values.type ?? ''] ?? '', values.source),
    payout: values.payoutId == null ? null : idOf('po', values.payoutId),
    status: values.status?.toLowerCase(),
  };
  const created = toUnix(values.createdAt);
  return { id: idOf('txn', record.platformId), object: 'balance_transaction', created, ...own, metadata: {} };
}

export function toBalance(record: UnifiedRecord, idOf: IdOf): PayObject {
  const { values } = record as UnifiedRecord<typeof paymentBalance>;
  const currency = currencyOf(values);
  const own = {
    currency,
    available: toMinor(values.availableBalance, currency),
    pending: toMinor(values.pendingBalance, currency),
  };
  // Exists from the first day.
  const created = toUnix('2026-01-05T09:00:00.000Z');
  return { id: idOf('bal', record.platformId), object: 'balance', created, ...own, metadata: {} };
}
