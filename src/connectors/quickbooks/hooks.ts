import { type HookEvent, type PlatformHooks } from '../hooks.js';
import { eventsIn, isSigned } from '../hook-signature.js';
import { objectOf, textOf } from '../values/platform-values.js';

/** Record types by the entity of an event. */
const DATA_MODELS: Readonly<Record<string, readonly string[]>> = {
  account: ['ACCOUNTS', 'BANK_ACCOUNTS'],
  bill: ['BILLS'],
  billpayment: ['BILL_PAYMENTS'],
  class: ['TRACKING_CATEGORIES'],
  companycurrency: ['CURRENCIES'],
  companyinfo: ['COMPANY_INFO'],
  creditmemo: ['INVOICE_CREDIT_NOTES'],
  customer: ['CONTACTS'],
  department: ['TRACKING_CATEGORIES'],
  deposit: ['BANK_TRANSACTIONS'],
  invoice: ['INVOICES'],
  item: ['ITEMS'],
  journalentry: ['JOURNAL_ENTRIES'],
  payment: ['INVOICE_PAYMENTS'],
  purchase: ['EXPENSES', 'BANK_TRANSACTIONS'],
  purchaseorder: ['PURCHASE_ORDERS'],
  refundreceipt: ['INVOICE_CREDIT_NOTES', 'INVOICE_PAYMENTS'],
  salesreceipt: ['INVOICES', 'INVOICE_PAYMENTS'],
  transfer: ['BANK_TRANSACTIONS'],
  vendor: ['CONTACTS'],
  vendorcredit: ['BILL_CREDIT_NOTES'],
};

/** Where a record type has several entities, ids begin with it, also those of a second one beside bare ones. */
const OF_SEVERAL: readonly string[] = ['CONTACTS', 'BANK_TRANSACTIONS', 'TRACKING_CATEGORIES'];
const SECOND: readonly string[] = ['refundreceipt', 'salesreceipt'];
/** One object is several records. */
const SPLIT: readonly string[] = ['INVOICE_PAYMENTS', 'BILL_PAYMENTS'];

/** `qbo.invoice.updated.v1` */
const TYPE = /^qbo\.([a-z]+)\.([a-z]+)\./i;

/** What is deleted, or merged into another, is found as by any sync. */
const IS_GONE = /^(deleted?|merged?)$/i;

/**
 * QuickBooks' webhooks: events of several companies in a list (CloudEvents 1.0), signed with a base64 HMAC-SHA256 of the
 * body and the app's verifier token.
 */
export const quickbooksHooks: PlatformHooks = {
  dataModels: [...new Set(Object.values(DATA_MODELS).flat())],
  read: ({ headers, body, secret }) => {
    const given = Buffer.from(textOf(headers['intuit-signature']) ?? '', 'base64');
    if (!isSigned(body, secret, given)) return null;
    return eventsIn(body).flatMap(eventsOf);
  },
};

function eventsOf(value: unknown): HookEvent[] {
  const event = objectOf(value) ?? {};
  const externalAccountId = textOf(event['intuitaccountid']);
  const [, entity = '', operation = ''] = TYPE.exec(textOf(event['type']) ?? '') ?? [];
  const name = entity.toLowerCase();
  const dataModels = Object.hasOwn(DATA_MODELS, name) ? DATA_MODELS[name] : undefined;
  if (externalAccountId === null || !dataModels) return [];
  const id = textOf(event['intuitentityid']) ?? '';
  const isNamed = /^\d+$/.test(id) && !IS_GONE.test(operation);
  return dataModels.map((dataModel): HookEvent => {
    const isMarked = OF_SEVERAL.includes(dataModel) || SECOND.includes(name);
    const own = isMarked ? `${name}:${id}` : id;
    const platformId = isNamed && !SPLIT.includes(dataModel) ? own : null;
    return { externalAccountId, dataModels: [dataModel], platformId };
  });
}
