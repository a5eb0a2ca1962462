import { describe, expect, test } from '@jest/globals';

import { connectorFor, connectors } from '../../src/connectors/index.js';

describe('connectorFor', () => {
  test('gives the connector of an integration type', () => {
    expect(connectorFor('XERO').title).toBe('Xero');
  });

  test('names what is available when there is none', () => {
    expect(() => connectorFor('ABACUS')).toThrow(
      expect.objectContaining({
        code: 'invalid-params',
        message:
          'integrationType must be one of XERO, SVC_SANDBOX, SVC_SANDBOX_SELF_HOSTED, SVC_SANDBOX_PER_SHOP, VENDURE, SHOPIFY, STRIPE, QUICKBOOKS, QUICKBOOKS_SANDBOX, ZOHO_BOOKS, got ABACUS',
      }),
    );
  });

  test.each(['ACCOUNTING', 'PAYMENTS', 'ECOMMERCE'] as const)(
    'can ask the sandbox of %s for one record of each type that it has',
    (category) => {
      const { pulls } = connectorFor('SVC_SANDBOX', category);
      const silent = pulls.filter(({ read }) => !read).map(({ definition }) => definition.dataModel);
      expect([pulls.length > 0, silent]).toEqual([true, []]);
    },
  );

  test('pulls what later mappers look up first', () => {
    const VENDURE = [
      'ECOMMERCE_ORDERS',
      'ECOMMERCE_TRANSACTIONS',
      'ECOMMERCE_CUSTOMERS',
      'ECOMMERCE_FULFILLMENTS',
      'ECOMMERCE_PRODUCTS',
      'ECOMMERCE_INVENTORIES',
      'ECOMMERCE_COMPANY_INFO',
    ];
    const QUICKBOOKS = [
      'CURRENCIES',
      'TAX_RATES',
      'ACCOUNTS',
      'TRACKING_CATEGORIES',
      'ITEMS',
      'CONTACTS',
      'INVOICES',
      'BILLS',
      'INVOICE_CREDIT_NOTES',
      'BILL_CREDIT_NOTES',
      'PURCHASE_ORDERS',
      'INVOICE_PAYMENTS',
      'BILL_PAYMENTS',
      'EXPENSES',
      'BANK_TRANSACTIONS',
      'JOURNAL_ENTRIES',
      'DOCUMENTS',
      'COMPANY_INFO',
      'BANK_ACCOUNTS',
    ];
    const ZOHO_BOOKS = [
      'CURRENCIES',
      'TAX_RATES',
      'ACCOUNTS',
      'ITEMS',
      'CONTACTS',
      'SALES_ORDERS',
      'PURCHASE_ORDERS',
      'INVOICES',
      'BILLS',
      'INVOICE_CREDIT_NOTES',
      'BILL_CREDIT_NOTES',
      'INVOICE_PAYMENTS',
      'BILL_PAYMENTS',
      'EXPENSES',
      'JOURNAL_ENTRIES',
      'COMPANY_INFO',
      'BANK_ACCOUNTS',
    ];
    const SHOP = [...VENDURE.slice(0, -1), 'ECOMMERCE_BALANCES', 'ECOMMERCE_COMPANY_INFO'];
    const order = connectors.map(({ pulls }) => pulls.map(({ definition }) => definition.dataModel));
    expect(order).toEqual([
      [
        'CURRENCIES',
        'TAX_RATES',
        'ACCOUNTS',
        'TRACKING_CATEGORIES',
        'ITEMS',
        'CONTACTS',
        'INVOICES',
        'BILLS',
        'INVOICE_CREDIT_NOTES',
        'BILL_CREDIT_NOTES',
        'PURCHASE_ORDERS',
        'INVOICE_PAYMENTS',
        'BILL_PAYMENTS',
        'BANK_TRANSACTIONS',
        'JOURNAL_ENTRIES',
        'DOCUMENTS',
        'COMPANY_INFO',
        'BANK_ACCOUNTS',
      ],
      [
        'CURRENCIES',
        'TAX_RATES',
        'ACCOUNTS',
        'TRACKING_CATEGORIES',
        'ITEMS',
        'CONTACTS',
        'SALES_ORDERS',
        'PURCHASE_ORDERS',
        'INVOICES',
        'BILLS',
        'INVOICE_CREDIT_NOTES',
        'BILL_CREDIT_NOTES',
        'INVOICE_PAYMENTS',
        'BILL_PAYMENTS',
        'EXPENSES',
        'BANK_TRANSACTIONS',
        'JOURNAL_ENTRIES',
        'DOCUMENTS',
        'COMPANY_INFO',
        'BANK_ACCOUNTS',
        'PROJECTS',
        'GOODS_RECEIPT_NOTES',
      ],
      [
        'PAYMENT_CUSTOMERS',
        'PAYMENT_INVOICES',
        'PAYMENT_ORDERS',
        'PAYMENT_PAYMENT_LINKS',
        'PAYMENT_PAYMENTS',
        'PAYMENT_REFUNDS',
        'PAYMENT_DISPUTES',
        'PAYMENT_PAYOUTS',
        'PAYMENT_TRANSACTIONS',
        'PAYMENT_BALANCES',
        'PAYMENT_ITEMS',
        'PAYMENT_TAX_RATES',
        'PAYMENT_SUBSCRIPTIONS',
      ],
      SHOP,
      SHOP,
      SHOP,
      VENDURE,
      VENDURE,
      [
        'PAYMENT_CUSTOMERS',
        'PAYMENT_ITEMS',
        'PAYMENT_TAX_RATES',
        'PAYMENT_INVOICES',
        'PAYMENT_PAYMENT_LINKS',
        'PAYMENT_PAYMENTS',
        'PAYMENT_REFUNDS',
        'PAYMENT_DISPUTES',
        'PAYMENT_PAYOUTS',
        'PAYMENT_TRANSACTIONS',
        'PAYMENT_BALANCES',
        'PAYMENT_SUBSCRIPTIONS',
      ],
      QUICKBOOKS,
      QUICKBOOKS,
      ZOHO_BOOKS,
    ]);
    for (const { pulls } of connectors) {
      pulls.forEach(({ lookups = [] }, position) => {
        // Its own type too: an account names the one above it, which a later pass resolves.
        const known = pulls.slice(0, position + 1).map(({ definition }) => definition.dataModel);
        expect(known).toEqual(expect.arrayContaining(lookups.map(({ dataModel }) => dataModel)));
      });
    }
  });
});
