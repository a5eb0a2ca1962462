import { type PushScheme } from '../../push.js';
import { accountPush } from './accounts.js';
import { contactPush } from './contacts.js';
import { documentPushes } from './documents.js';
import { itemPush } from './items.js';
import { paymentPushes } from './payments.js';

/**
 * Supported writes. Zoho has no idempotency keys: what was written is found by our marker, in the notes of a contact and
 * the reference of a document or payment. Accounts and items have no place for one, and are never sent twice.
 */
export const zohoPushes: PushScheme = {
  idempotencyKey: null,
  resources: [accountPush, itemPush, contactPush, ...documentPushes, ...paymentPushes],
};
