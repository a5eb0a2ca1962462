import { type PushScheme } from '../../push.js';
import { accountPush } from './accounts.js';
import { contactPush } from './contacts.js';
import { documentPushes } from './documents.js';
import { itemPush } from './items.js';
import { paymentPushes } from './payments.js';

/**
 * Supported writes. To a `requestid` that it has had, QuickBooks repeats its answer; it does not say for how long, so
 * only a few minutes are assumed, as for Xero.
 *
 * Each record is sent alone, although `/batch` takes several: it takes 40 requests of 10 a minute, where 500 alone are
 * allowed, ten at a time; it carries them out one after the other; and one `requestid`, of 36 characters instead of 50,
 * covers them all, so that a record whose part got no answer could not be repeated by itself.
 */
export const quickbooksPushes: PushScheme = {
  idempotencyKey: { in: 'query', name: 'requestid', hours: 0.1 },
  resources: [accountPush, itemPush, contactPush, ...documentPushes, ...paymentPushes],
};
