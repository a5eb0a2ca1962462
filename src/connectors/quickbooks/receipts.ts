import { type PlatformObject } from '../platform.js';
import { ENTITY, marked, transactions } from './kinds.js';

/** Sales that were paid, and refunds that were paid out, on the spot: each is a document, and its payment. */
export const SALES_RECEIPTS = marked(transactions('SalesReceipt'));
export const REFUND_RECEIPTS = marked(transactions('RefundReceipt'));

/** Whether an object that notes its entity is a receipt. */
export const isReceipt = (object: PlatformObject): boolean =>
  [SALES_RECEIPTS, REFUND_RECEIPTS].some(({ entity }) => entity === object[ENTITY]);
