import type { UnifiedLine, UnifiedRecord } from '../../../connectors/pull.js';
import type { ecommerceLineItem, ecommerceOrder, ecommerceTransaction } from '../../../records/index.js';
import type { InitialObject } from '../../store/objects.js';
import type { DemoRecords } from '../../world/demo-records.js';
import { numericId } from '../../world/ids.js';
import { gid, moneySet, SHOP_KINDS, type ShopKind, type ShopObject, shopTime } from '../objects.js';
import { toBalance, toShop } from './company-info.js';
import { toCustomer } from './customer.js';
import { toFulfillment } from './fulfillment.js';
import type { PartOfOrder, ShopNames } from './names.js';
import { toInventoryLevel, toProduct } from './product.js';

const GATEWAYS: Readonly<Record<string, string>> = {
  CREDIT_CARD: 'credit_card',
  PAYPAL: 'paypal',
  GIFT_CARD: 'gift_card',
};

/** The objects of a shop. */
export function shopObjects(accountId: string, shop: DemoRecords): InitialObject[] {
  const orders = (shop.get('ECOMMERCE_ORDERS') ?? []) as readonly UnifiedRecord<typeof ecommerceOrder>[];
  const names: ShopNames = {
    // Products have the same numbers in every shop.
    id: (kind, id) => gid(SHOP_KINDS[kind], kind === 'products' ? id : numericId(accountId, `${kind}/${id}`)),
    lineId: (id) => gid('LineItem', numericId(accountId, `lines/${id}`)),
  };
  const of = (dataModel: string) => shop.get(dataModel) ?? [];
  return [
    ...orders.map((record) => stored('orders', toOrder(record, names), record)),
    ...of('ECOMMERCE_TRANSACTIONS').map((record) =>
      ofOrder('transactions', toTransaction(record, names), record),
    ),
    ...of('ECOMMERCE_CUSTOMERS').map((record) => stored('customers', toCustomer(record, names), record)),
    ...of('ECOMMERCE_FULFILLMENTS').map((record) =>
      ofOrder('fulfillments', toFulfillment(record, names), record),
    ),
    ...of('ECOMMERCE_PRODUCTS').map((record) => stored('products', toProduct(record, names), record)),
    ...of('ECOMMERCE_INVENTORIES').map((record) => {
      const level = toInventoryLevel(record, names);
      return { ...stored('inventory_levels', level, record), number: level.product_id };
    }),
    ...of('ECOMMERCE_BALANCES').map((record) => {
      const balance = toBalance(record, names);
      return { ...stored('balances', balance, record), number: balance.currency };
    }),
    ...of('ECOMMERCE_COMPANY_INFO').map((record) => stored('shops', toShop(record, names), record)),
  ];
}

const ofOrder = (kind: ShopKind, object: PartOfOrder, record: UnifiedRecord): InitialObject => ({
  ...stored(kind, object, record),
  parent: object.order_id,
});

function stored(kind: ShopKind, object: ShopObject, record: UnifiedRecord): InitialObject {
  const createdAt = new Date(object.created_at).toISOString();
  const updatedAt = new Date(object.updated_at).toISOString();
  return {
    kind,
    id: object.id,
    body: JSON.stringify(object),
    createdAt,
    modifiedAt: updatedAt,
    deletedAt: record.deleted ? updatedAt : null,
  };
}

function toOrder(record: UnifiedRecord<typeof ecommerceOrder>, names: ShopNames): ShopObject {
  const { values, lines } = record;
  const currency = values.currencyCode ?? '';
  const set = (amount: string | null | undefined) => moneySet(amount ?? '0.00', currency);
  const items = (lines?.['lineItems'] ?? []) as readonly UnifiedLine<typeof ecommerceLineItem>[];
  const updated = shopTime(values.updatedAt ?? '');
  const own = {
    name: values.orderName,
    order_number: Number(values.orderNumber),
    checkout_reference: values.reference,
    cancelled_at: values.orderStatus === 'CANCELLED' ? updated : null,
    financial_status: values.paymentStatus?.toLowerCase(),
    fulfillment_status: values.orderStatus === 'FULFILLED' ? 'fulfilled' : null,
    currency,
    customer: values.customerId == null ? null : { id: names.id('customers', values.customerId) },
    note: values.description,
    note_attributes: [],
    tags: '',
    subtotal_price_set: set(values.subTotal),
    total_discounts_set: set(values.totalDiscount),
    total_tax_set: set(values.taxAmount),
    total_price_set: set(values.totalAmount),
    total_outstanding_set: set(values.amountDue),
    line_items: items.map(({ platformId, values: item }) => ({
      id: names.lineId(platformId ?? ''),
      product_id: names.id('products', item.itemId ?? ''),
      title: item.description,
      quantity: Number(item.quantity),
      price_set: set(item.unitAmount),
      subtotal_set: set(item.subTotal),
      total_discount_set: set(item.totalDiscount),
      total_set: set(item.totalAmount),
      tax_lines: [{ title: 'GST', code: item.taxId, rate: 0.1, price_set: set(item.taxAmount) }],
    })),
  };
  return {
    id: names.id('orders', record.platformId),
    created_at: shopTime(values.createdAt ?? ''),
    updated_at: updated,
    ...own,
  };
}

function toTransaction(record: UnifiedRecord, names: ShopNames): PartOfOrder {
  const { values } = record as UnifiedRecord<typeof ecommerceTransaction>;
  const currency = values.currencyCode ?? '';
  const fee = values.fee ?? '0.00';
  const own = {
    kind: values.type?.toLowerCase(),
    status: record.deleted ? 'voided' : 'success',
    gateway: GATEWAYS[values.paymentMethod ?? ''] ?? 'other',
    message: values.description,
    amount_set: moneySet(values.amount ?? '0.00', currency),
    fees: fee === '0.00' ? [] : [{ type: 'processing_fee', amount_set: moneySet(fee, currency) }],
  };
  return {
    id: names.id('transactions', record.platformId),
    order_id: names.id('orders', values.orderId ?? ''),
    created_at: shopTime(values.createdAt ?? ''),
    updated_at: shopTime(values.updatedAt ?? ''),
    ...own,
  };
}
