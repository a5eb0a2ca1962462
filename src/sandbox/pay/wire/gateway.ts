import type { UnifiedLine, UnifiedRecord } from '../../../connectors/pull.js';
import type {
  address,
  externalLink,
  payment,
  paymentCustomer,
  paymentInvoice,
  paymentLineItem,
  paymentLink,
  paymentOrder,
  phoneNumber,
} from '../../../records/index.js';
import type { InitialObject } from '../../store/objects.js';
import type { DemoRecords } from '../../world/demo-records.js';
import { letterId } from '../../world/ids.js';
import { listOf, type PayKind, type PayLine, type PayObject } from '../objects.js';
import { currencyOf, toMinor, toUnix } from './amounts.js';
import { toItem, toSubscription, toTaxRate } from './catalog.js';
import { toBalance, toDispute, toPayout, toRefund, toTransaction } from './ledger.js';
import type { IdOf, Words } from './words.js';

const INVOICE_STATES: Words = {
  DRAFT: 'draft',
  SUBMITTED: 'open',
  PARTIALLY_PAID: 'part_paid',
  PAID: 'paid',
  OVERDUE: 'overdue',
  VOID: 'void',
};
const ORDER_STATES: Words = {
  CREATED: 'created',
  ATTEMPTED: 'attempted',
  PAID: 'paid',
  CANCELLED: 'canceled',
};
const PAYMENT_STATES: Words = {
  CREATED: 'created',
  ATTEMPTED: 'attempted',
  PAID: 'succeeded',
  FAILED: 'failed',
};
const METHODS: Words = { UPI: 'upi', EMI: 'emi', NET_BANKING: 'netbanking', WALLET: 'wallet', CARD: 'card' };
const PHONES: Words = { TELEPHONE: 'landline', MOBILE: 'mobile', FAX: 'fax' };

/** The objects of an account's gateway, each kind from oldest to newest. */
export function payObjects(accountId: string, gateway: DemoRecords): InitialObject[] {
  const known = new Map<string, string>();
  const idOf: IdOf = (prefix, id) => {
    let found = known.get(id);
    if (found === undefined) known.set(id, (found = `${prefix}_${letterId(accountId, id)}`));
    return found;
  };
  const all = (
    kind: PayKind,
    dataModel: string,
    translate: (record: UnifiedRecord, idOf: IdOf) => PayObject,
  ): InitialObject[] =>
    (gateway.get(dataModel) ?? [])
      .map((record) => stored(kind, translate(record, idOf), record))
      .sort((one, other) => (one.createdAt < other.createdAt ? -1 : one.createdAt > other.createdAt ? 1 : 0));
  return [
    ...all('customers', 'PAYMENT_CUSTOMERS', toCustomer),
    ...all('invoices', 'PAYMENT_INVOICES', toInvoice),
    ...all('orders', 'PAYMENT_ORDERS', toOrder),
    ...all('payment_links', 'PAYMENT_PAYMENT_LINKS', toPaymentLink),
    ...all('payments', 'PAYMENT_PAYMENTS', toPayment),
    ...all('refunds', 'PAYMENT_REFUNDS', toRefund),
    ...all('disputes', 'PAYMENT_DISPUTES', toDispute),
    ...all('payouts', 'PAYMENT_PAYOUTS', toPayout),
    ...all('balance_transactions', 'PAYMENT_TRANSACTIONS', toTransaction),
    ...all('balances', 'PAYMENT_BALANCES', toBalance),
    ...all('items', 'PAYMENT_ITEMS', toItem),
    ...all('tax_rates', 'PAYMENT_TAX_RATES', toTaxRate),
    ...all('subscriptions', 'PAYMENT_SUBSCRIPTIONS', toSubscription),
  ];
}

function stored(kind: PayKind, object: PayObject, record: UnifiedRecord): InitialObject {
  const createdAt = new Date(object.created * 1000).toISOString();
  return {
    kind,
    id: object.id,
    body: JSON.stringify(object),
    createdAt,
    modifiedAt: createdAt,
    deletedAt: record.deleted ? createdAt : null,
  };
}

function toCustomer(record: UnifiedRecord, idOf: IdOf): PayObject {
  const { values, lines } = record as UnifiedRecord<typeof paymentCustomer>;
  const phones = (lines?.['phoneNumbers'] ?? []) as readonly UnifiedLine<typeof phoneNumber>[];
  const links = (lines?.['externalLinks'] ?? []) as readonly UnifiedLine<typeof externalLink>[];
  const addresses = (lines?.['addresses'] ?? []) as readonly UnifiedLine<typeof address>[];
  const link = (type: string) => links.find((one) => one.values.type === type)?.values.link ?? null;
  const home = addresses[0]?.values;
  const own = {
    name: values.name,
    email: link('EMAIL'),
    website: link('WEBSITE'),
    phones: phones.map((one) => ({
      type: PHONES[one.values.type ?? ''] ?? 'landline',
      number: one.values.number,
    })),
    tax_id: values.taxNumber,
    currency: values.currencyCode?.toLowerCase() ?? null,
    address: home
      ? {
          line1: home.street,
          line2: home.locality,
          city: home.city,
          state: home.state,
          postal_code: home.pincode,
          country: home.country,
        }
      : null,
  };
  return {
    id: idOf('cus', record.platformId),
    object: 'customer',
    created: toUnix(values.createdAt),
    ...own,
    metadata: {},
  };
}

function linesOf({ lines }: UnifiedRecord, currency: string, idOf: IdOf): PayLine[] {
  const items = (lines?.['lineItems'] ?? []) as readonly UnifiedLine<typeof paymentLineItem>[];
  return items.map(({ platformId, values }) => ({
    id: idOf('il', platformId ?? ''),
    object: 'line_item',
    item: values.itemId ?? null,
    tax_rate: values.taxId ?? null,
    description: values.description ?? null,
    quantity: Number(values.quantity),
    unit_amount: toMinor(values.unitAmount, currency),
    amount_subtotal: toMinor(values.subTotal, currency),
    amount_discount: toMinor(values.totalDiscount, currency),
    amount_tax: toMinor(values.taxAmount, currency),
    amount_total: toMinor(values.totalAmount, currency),
    updated: toUnix(values.updatedAt),
  }));
}

function toInvoice(record: UnifiedRecord, idOf: IdOf): PayObject {
  const { values } = record as UnifiedRecord<typeof paymentInvoice>;
  const currency = currencyOf(values);
  const lines = linesOf(record, currency, idOf);
  const own = {
    number: values.documentNumber,
    customer: values.contactId == null ? null : idOf('cus', values.contactId),
    currency,
    status: INVOICE_STATES[values.status ?? ''],
    issued: toUnix(values.postedDate),
    due: toUnix(values.dueDate),
    amount_subtotal: toMinor(values.subTotal, currency),
    amount_discount: toMinor(values.totalDiscount, currency),
    amount_tax: toMinor(values.taxAmount, currency),
    amount_total: toMinor(values.totalAmount, currency),
    amount_remaining: toMinor(values.amountDue, currency),
    lines: listOf(lines),
  };
  const created = lines[0]?.updated ?? toUnix(values.postedDate);
  return { id: idOf('in', record.platformId), object: 'invoice', created, ...own, metadata: {} };
}

function toOrder(record: UnifiedRecord, idOf: IdOf): PayObject {
  const { values } = record as UnifiedRecord<typeof paymentOrder>;
  const currency = currencyOf(values);
  const own = {
    reference: values.reference,
    amount: toMinor(values.amount, currency),
    amount_due: toMinor(values.amountDue, currency),
    currency,
    status: ORDER_STATES[values.status ?? ''],
  };
  const created = toUnix(values.createdAt);
  return { id: idOf('ord', record.platformId), object: 'order', created, ...own, metadata: {} };
}

function toPaymentLink(record: UnifiedRecord, idOf: IdOf): PayObject {
  const { values } = record as UnifiedRecord<typeof paymentLink>;
  const currency = currencyOf(values);
  const id = idOf('plink', record.platformId);
  const own = {
    updated: toUnix(values.updatedAt),
    active: values.status === 'ACTIVE',
    url: `https://pay.lantern.example/${id}`,
    currency,
    amount_total: toMinor(values.amount, currency),
    description: values.description,
    line_items: listOf(linesOf(record, currency, idOf)),
  };
  return { id, object: 'payment_link', created: toUnix(values.createdAt), ...own, metadata: {} };
}

function toPayment(record: UnifiedRecord, idOf: IdOf): PayObject {
  const { values } = record as UnifiedRecord<typeof payment>;
  const currency = currencyOf(values);
  const own = {
    amount: toMinor(values.amount, currency),
    currency,
    customer: values.customerId == null ? null : idOf('cus', values.customerId),
    description: values.description,
    invoice: values.invoiceId == null ? null : idOf('in', values.invoiceId),
    order: values.orderId == null ? null : idOf('ord', values.orderId),
    method: { type: METHODS[values.paymentMethod ?? ''] },
    status: PAYMENT_STATES[values.status ?? ''],
  };
  const created = toUnix(values.createdAt);
  return { id: idOf('pay', record.platformId), object: 'payment', created, ...own, metadata: {} };
}
