import { describe, expect, test } from '@jest/globals';

import { type PlatformObject } from '../../../src/connectors/connector.js';
import { sandboxBooks } from '../../../src/connectors/sandbox/books/index.js';
import { sandboxPay } from '../../../src/connectors/sandbox/pay/index.js';
import { sandboxShop } from '../../../src/connectors/sandbox/shop/index.js';
import { type RecordDefinition } from '../../../src/records/index.js';
import { oddValues } from '../xero/lookups.js';
import { lookups } from './lookups.js';
import * as books from './wire-books.js';
import * as pay from './wire-pay.js';
import * as shop from './wire-shop.js';

const WIRE: Readonly<Record<string, PlatformObject>> = {
  CURRENCIES: books.currency,
  TAX_RATES: books.taxCode,
  ACCOUNTS: books.account,
  TRACKING_CATEGORIES: books.dimension,
  ITEMS: books.product,
  CONTACTS: books.partner,
  SALES_ORDERS: books.salesOrder,
  PURCHASE_ORDERS: books.purchaseOrder,
  INVOICES: books.invoice,
  BILLS: books.bill,
  INVOICE_CREDIT_NOTES: books.creditNote,
  BILL_CREDIT_NOTES: books.supplierCredit,
  INVOICE_PAYMENTS: books.receipt,
  BILL_PAYMENTS: books.receipt,
  EXPENSES: books.expense,
  BANK_TRANSACTIONS: books.movement,
  JOURNAL_ENTRIES: books.journal,
  DOCUMENTS: books.attachment,
  PAYMENT_CUSTOMERS: pay.customer,
  PAYMENT_INVOICES: pay.invoice,
  PAYMENT_ORDERS: pay.order,
  PAYMENT_PAYMENT_LINKS: pay.paymentLink,
  PAYMENT_PAYMENTS: pay.payment,
  ECOMMERCE_ORDERS: shop.order,
  ECOMMERCE_TRANSACTIONS: shop.transaction,
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
