import { describe, expect, test } from '@jest/globals';

import { type PlatformObject } from '../../../src/connectors/platform.js';
import { sandboxBooks } from '../../../src/connectors/sandbox/books/index.js';
import { sandboxPay } from '../../../src/connectors/sandbox/pay/index.js';
import { sandboxShop } from '../../../src/connectors/sandbox/shop/index.js';
import { type RecordDefinition } from '../../../src/records/index.js';
import { oddValues } from '../xero/lookups.js';
import { lookups } from './lookups.js';
import * as booksWire from './wire-books.js';
import * as payWire from './wire-pay.js';
import * as shopWire from './wire-shop.js';

const WIRE: Readonly<Record<string, PlatformObject>> = {
  CURRENCIES: booksWire.currency,
  TAX_RATES: booksWire.taxCode,
  ACCOUNTS: booksWire.account,
  TRACKING_CATEGORIES: booksWire.dimension,
  ITEMS: booksWire.product,
  CONTACTS: booksWire.partner,
  SALES_ORDERS: booksWire.salesOrder,
  PURCHASE_ORDERS: booksWire.purchaseOrder,
  INVOICES: booksWire.invoice,
  BILLS: booksWire.bill,
  INVOICE_CREDIT_NOTES: booksWire.creditNote,
  BILL_CREDIT_NOTES: booksWire.supplierCredit,
  INVOICE_PAYMENTS: booksWire.receipt,
  BILL_PAYMENTS: booksWire.receipt,
  EXPENSES: booksWire.expense,
  BANK_TRANSACTIONS: booksWire.movement,
  JOURNAL_ENTRIES: booksWire.journal,
  DOCUMENTS: booksWire.attachment,
  COMPANY_INFO: booksWire.companyDetails,
  BANK_ACCOUNTS: booksWire.account,
  PROJECTS: booksWire.project,
  GOODS_RECEIPT_NOTES: booksWire.goodsReceipt,
  PAYMENT_CUSTOMERS: payWire.customer,
  PAYMENT_INVOICES: payWire.invoice,
  PAYMENT_ORDERS: payWire.order,
  PAYMENT_PAYMENT_LINKS: payWire.paymentLink,
  PAYMENT_PAYMENTS: payWire.payment,
  PAYMENT_REFUNDS: payWire.refund,
  PAYMENT_DISPUTES: payWire.dispute,
  PAYMENT_PAYOUTS: payWire.payout,
  PAYMENT_TRANSACTIONS: payWire.transaction,
  PAYMENT_BALANCES: payWire.balance,
  PAYMENT_ITEMS: payWire.item,
  PAYMENT_TAX_RATES: payWire.taxRate,
  PAYMENT_SUBSCRIPTIONS: payWire.subscription,
  ECOMMERCE_ORDERS: shopWire.order,
  ECOMMERCE_TRANSACTIONS: shopWire.transaction,
  ECOMMERCE_CUSTOMERS: shopWire.customer,
  ECOMMERCE_FULFILLMENTS: shopWire.fulfillment,
  ECOMMERCE_PRODUCTS: shopWire.product,
  ECOMMERCE_INVENTORIES: shopWire.inventoryLevel,
  ECOMMERCE_BALANCES: shopWire.balance,
  ECOMMERCE_COMPANY_INFO: shopWire.shop,
};
const IDS = ['Guid', 'id', 'has_more'];

/** The object with each value in it, however deep, replaced in turn. */
function* variants(object: PlatformObject, value: unknown): Generator<PlatformObject> {
  for (const [name, inner] of Object.entries(object)) {
    if (IDS.includes(name)) continue;
    yield { ...object, [name]: value };
    if (Array.isArray(inner)) {
      const [first] = inner;
      if (typeof first !== 'object' || first === null) continue;
      for (const variant of variants(first as PlatformObject, value)) yield { ...object, [name]: [variant] };
    } else if (typeof inner === 'object' && inner !== null) {
      for (const variant of variants(inner as PlatformObject, value)) yield { ...object, [name]: variant };
    }
  }
}

/** The values that are of another type than their fields, or outside of their closed sets. */
function wrongValues({ own }: RecordDefinition, values: Readonly<Record<string, unknown>>): unknown[] {
  return Object.entries(values).filter(([name, value]) => {
    const field = own[name];
    if (!field) return true;
    if (value === null || value === undefined) return false;
    if (field.values && !field.values.includes(value as string)) return true;
    if (field.kind === 'textList') return !Array.isArray(value);
    return typeof value !== (field.kind === 'boolean' ? 'boolean' : 'string');
  });
}

const resources = [sandboxBooks, sandboxPay, sandboxShop].flatMap(({ pulls }) => pulls);

describe.each(resources.map((resource) => [resource.definition.dataModel, resource] as const))(
  '%s',
  (dataModel, resource) => {
    const wire = WIRE[dataModel] ?? {};

    test('keeps a record with a value of a wrong type, and only what its fields can hold', () => {
      const problems: unknown[] = [];
      for (const value of oddValues) {
        for (const object of variants(wire, value)) {
          const record = resource.toUnified(object, lookups);
          if (record) problems.push(...wrongValues(resource.definition, record.values));
        }
      }
      expect(problems).toEqual([]);
    });

    test('refuses an object without its id', () => {
      const { Guid: _guid, id: _id, ...nameless } = wire as Record<string, unknown>;
      expect(() => resource.toUnified(nameless, lookups)).toThrow(/sent a record without/);
    });
  },
);
