import type { UnifiedRecord } from '../../src/connectors/pull.js';
import type { Tenant } from './seed.js';

/** Twelve accounts; some share a name, some have none, and every fourth is deleted. */
export const ACCOUNTS: readonly UnifiedRecord[] = Array.from({ length: 12 }, (_, index) => ({
  platformId: `account-${index}`,
  deleted: index % 4 === 3,
  values: {
    name: index % 3 === 0 ? null : `Name ${index % 5}`,
    nominalCode: String(1000 + index),
    category: index % 2 === 0 ? 'ASSET' : 'EXPENSE',
    status: 'ACTIVE',
    currentBalance: index % 5 === 0 ? null : `${index * 10}.${index}0`,
    currencyId: index === 1 ? 'missing' : 'aud',
    currencyCode: 'AUD',
    parentAccountId: index === 0 ? null : 'account-0',
    updatedAt: `2026-01-${String(20 - index).padStart(2, '0')}T00:00:00.000Z`,
  },
}));

/** Small books with every kind of relation. */
export async function storeBooks(tenant: Tenant): Promise<void> {
  await tenant.store('Currency', [
    {
      platformId: 'aud',
      values: {
        code: 'AUD',
        name: 'Australian Dollar',
        symbol: '$',
        isBaseCurrency: true,
        exchangeRate: '1',
      },
    },
  ]);
  for (const account of ACCOUNTS) await tenant.store('Account', [account]);
  await tenant.store('Contact', [
    {
      platformId: 'ann',
      values: { name: 'Ann', contactType: 'CUSTOMER', currencyId: 'aud', status: 'ACTIVE' },
    },
    {
      platformId: 'ben',
      values: { name: 'Ben', contactType: 'VENDOR', currencyId: 'aud', status: 'ACTIVE' },
    },
  ]);
  await tenant.store(
    'Invoice',
    [1, 2, 3].map((number) => ({
      platformId: `invoice-${number}`,
      values: {
        documentNumber: `INV-${number}`,
        contactId: 'ann',
        currencyId: 'aud',
        totalAmount: `${number}00.00`,
        postedDate: '2026-02-03',
      },
    })),
  );
  await tenant.store(
    'InvoiceCreditNote',
    [1, 2].map((number) => ({
      platformId: `note-${number}`,
      values: {
        documentNumber: `CN-${number}`,
        contactId: number === 1 ? 'ann' : 'ben',
        currencyId: 'aud',
        invoiceIds: number === 1 ? ['invoice-3', 'invoice-1', 'not-here'] : [],
        postedDate: '2026-02-28',
        remainingCredit: '0.30',
        taxAmount: '1.10',
        totalAmount: '12345678901234567.89',
        status: 'SUBMITTED',
        memo: 'a "quoted" memo\nwith a 😀',
      },
      lines: {
        lineItems: [1, 2].map((line) => ({
          platformId: `note-${number}-line-${line}`,
          values: {
            description: `line ${line}`,
            quantity: '2',
            unitAmount: '5.50',
            accountId: 'account-0',
            lineItemType: 'INVOICE_CREDIT_NOTES',
          },
        })),
      },
    })),
  );
}

export const TRANSACTIONS: readonly UnifiedRecord[] = [1, 2, 3].map((number) => ({
  platformId: `sale-${number}`,
  platformUniqueId: `shop/sale-${number}`,
  deleted: number === 2,
  values: {
    amount: `${number}9.90`,
    fee: '0.00',
    type: 'SALE',
    paymentMethod: 'CREDIT_CARD',
    status: 'ACTIVE',
    currencyId: 'AUD',
    createdAt: '2026-03-01T10:00:00.000Z',
    updatedAt: '2026-03-01T10:00:00.000Z',
  },
}));
