import { type HookEvent, type PlatformHooks } from '../hooks.js';
import { isSigned } from '../hook-signature.js';
import { decimalOf, objectFrom, textOf } from '../values/platform-values.js';
import { isShopDomain } from './shop.js';

const PARTS = ['ECOMMERCE_TRANSACTIONS', 'ECOMMERCE_FULFILLMENTS'];

/** What the topics that begin so are about: its record types, the name of its id in the body, and what else changes. */
interface Subject {
  readonly dataModel: string;
  readonly id: string;
  readonly along: readonly string[];
}

const ORDER: Subject = { dataModel: 'ECOMMERCE_ORDERS', id: 'id', along: PARTS };
const OF_ORDER: Subject = { ...ORDER, id: 'order_id' };
const STOCK: Subject = { dataModel: 'ECOMMERCE_INVENTORIES', id: '', along: [] };

const SUBJECTS: Readonly<Record<string, Subject>> = {
  orders: ORDER,
  order_transactions: OF_ORDER,
  refunds: OF_ORDER,
  fulfillments: OF_ORDER,
  customers: { dataModel: 'ECOMMERCE_CUSTOMERS', id: 'id', along: [] },
  products: { dataModel: 'ECOMMERCE_PRODUCTS', id: 'id', along: ['ECOMMERCE_INVENTORIES'] },
  inventory_levels: STOCK,
  inventory_items: STOCK,
  shop: { dataModel: 'ECOMMERCE_COMPANY_INFO', id: '', along: [] },
};

/** What Shopify asks of all apps about personal data changes nothing in the shop. */
const REQUESTS: ReadonlySet<string> = new Set(['customers/data_request', 'customers/redact', 'shop/redact']);

/**
 * Shopify's webhooks: one event each, about the shop and the topic in the headers, signed with a base64 HMAC-SHA256 of
 * the body and the app's client secret.
 */
export const shopifyHooks: PlatformHooks = {
  dataModels: [...new Set(Object.values(SUBJECTS).flatMap(({ dataModel, along }) => [dataModel, ...along]))],
  read: ({ headers, body, secret }) => {
    const given = Buffer.from(textOf(headers['x-shopify-hmac-sha256']) ?? '', 'base64');
    if (!isSigned(body, secret, given)) return null;
    const topic = textOf(headers['x-shopify-topic']) ?? '';
    const externalAccountId = textOf(headers['x-shopify-shop-domain']) ?? '';
    const [name = '', action = ''] = topic.split('/');
    if (REQUESTS.has(topic) || !Object.hasOwn(SUBJECTS, name) || !isShopDomain(externalAccountId)) return [];
    const subject = SUBJECTS[name];
    return subject ? eventsOf(subject, { externalAccountId, action, body }) : [];
  },
};

interface Told {
  readonly externalAccountId: string;
  readonly action: string;
  readonly body: Buffer;
}

/** What is deleted is found as by any sync. */
function eventsOf({ dataModel, id, along }: Subject, { externalAccountId, action, body }: Told): HookEvent[] {
  const value = decimalOf(objectFrom(body.toString('utf8'))?.[id]) ?? '';
  const platformId = /^\d+$/.test(value) && action !== 'delete' ? value : null;
  return [
    { externalAccountId, dataModels: [dataModel], platformId },
    ...along.map((other): HookEvent => ({ externalAccountId, dataModels: [other], platformId: null })),
  ];
}
