import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { App } from '../../src/app.js';
import { insertConnection } from '../../src/connect/insert-connection.js';
import { connectorFor } from '../../src/connectors/index.js';
import type { Category } from '../../src/records/define.js';
import { admin } from '../support/admin.js';
import { startApp } from '../support/service.js';
import { createXeroTenant, type XeroTenant } from '../support/xero.js';

let app: App;
let tenant: XeroTenant;

beforeAll(async () => {
  app = await startApp();
});
beforeEach(async () => {
  tenant = await createXeroTenant(app, 'own currency');
});
afterEach(() => tenant.stop());
afterAll(() => app?.close());

const company = () => admin.prisma.company.findFirstOrThrow({ where: { svcId: BigInt(tenant.companyId) } });

/** Another connection of the company, to an account that is kept in this currency. */
const connect = (integrationType: string, category: Category, baseCurrency: string) =>
  app.database.sql(tenant.scope).transaction((transaction) =>
    insertConnection(transaction, tenant.companyId, {
      connector: connectorFor(integrationType, category),
      account: { externalAccountId: `in ${baseCurrency}`, name: null, baseCurrency },
      place: { address: null, settings: {} },
    }),
  );

test('a shop that sells in another currency says nothing of the currency of the books', async () => {
  await connect('VENDURE', 'ECOMMERCE', 'CHF');
  expect((await company()).baseCurrencyCode).toBeNull();
});

test('manual journals are in the currency of their own books, whatever the company had before', async () => {
  await connect('SVC_SANDBOX', 'ACCOUNTING', 'SEK');
  expect((await company()).baseCurrencyCode).toBe('SEK');
  expect(await tenant.sync(['CURRENCIES', 'ACCOUNTS', 'JOURNAL_ENTRIES'])).toBe('SUCCESS');
  const base = tenant.books.currencies.find(({ worth }) => worth === '1')?.id;
  const own = { connectionId: BigInt(tenant.connectionId) };
  const journals = await admin.prisma.journalEntry.findMany({ where: own });
  expect(new Set(journals.map(({ currencyCode }) => currencyCode))).toEqual(new Set([base]));
  const currencies = await admin.prisma.currency.findMany({ where: { ...own, isBaseCurrency: true } });
  expect(currencies.map(({ code }) => code)).toEqual([base]);
  expect((await company()).baseCurrencyCode).toBe('SEK');
});
