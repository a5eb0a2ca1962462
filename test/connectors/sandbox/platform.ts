import { request } from 'undici';

import { type Sandbox, type SandboxCompany, startSandbox } from '../../../src/sandbox/index.js';
import type { Platform } from '../../../src/sandbox/platform.js';
import { testDatabaseUrl } from '../../support/service.js';
import { type ConformancePlatform, type Mutation } from '../conformance.js';
import { expectedOf } from './expected.js';
import { startFaultProxy } from '../fault-proxy.js';
import { booksSamples, shopSamples } from './write-samples.js';

/** Big enough for several pages of the kinds that there are most of. */
const COMPANY: Omit<SandboxCompany, 'id' | 'platforms'> = {
  name: 'Conformance Furniture',
  seed: 7,
  trade: 'furniture',
  records: 2400,
};

/** Kinds of the sandbox by our data models. */
const KINDS: Readonly<Record<string, string>> = {
  CURRENCIES: 'Currencies',
  TAX_RATES: 'TaxCodes',
  ACCOUNTS: 'LedgerAccounts',
  TRACKING_CATEGORIES: 'Dimensions',
  ITEMS: 'Products',
  CONTACTS: 'Partners',
  SALES_ORDERS: 'SalesOrders',
  PURCHASE_ORDERS: 'PurchaseOrders',
  INVOICES: 'SalesInvoices',
  BILLS: 'PurchaseBills',
  INVOICE_CREDIT_NOTES: 'SalesCreditNotes',
  BILL_CREDIT_NOTES: 'SupplierCredits',
  INVOICE_PAYMENTS: 'CustomerReceipts',
  BILL_PAYMENTS: 'SupplierPayments',
  EXPENSES: 'Expenses',
  BANK_TRANSACTIONS: 'BankMovements',
  JOURNAL_ENTRIES: 'Journals',
  DOCUMENTS: 'Attachments',
  COMPANY_INFO: 'CompanyDetails',
  BANK_ACCOUNTS: 'LedgerAccounts',
  PROJECTS: 'Projects',
  GOODS_RECEIPT_NOTES: 'GoodsReceipts',
  PAYMENT_CUSTOMERS: 'customers',
  PAYMENT_INVOICES: 'invoices',
  PAYMENT_ORDERS: 'orders',
  PAYMENT_PAYMENT_LINKS: 'payment_links',
  PAYMENT_REFUNDS: 'refunds',
  PAYMENT_DISPUTES: 'disputes',
  PAYMENT_PAYOUTS: 'payouts',
  PAYMENT_TRANSACTIONS: 'balance_transactions',
  PAYMENT_BALANCES: 'balances',
  PAYMENT_ITEMS: 'items',
  PAYMENT_TAX_RATES: 'tax_rates',
  PAYMENT_SUBSCRIPTIONS: 'subscriptions',
  PAYMENT_PAYMENTS: 'payments',
  ECOMMERCE_ORDERS: 'orders',
  ECOMMERCE_TRANSACTIONS: 'transactions',
  ECOMMERCE_CUSTOMERS: 'customers',
  ECOMMERCE_FULFILLMENTS: 'fulfillments',
  ECOMMERCE_PRODUCTS: 'products',
  ECOMMERCE_INVENTORIES: 'inventory_levels',
  ECOMMERCE_BALANCES: 'balances',
  ECOMMERCE_COMPANY_INFO: 'shops',
};

/** Of these, nothing is deleted. */
const LASTING = [
  'Currencies',
  'TaxCodes',
  'Dimensions',
  'CustomerReceipts',
  'SupplierPayments',
  'CompanyDetails',
  'Projects',
  'GoodsReceipts',
  'balances',
  'shops',
];

/** Which of the ledger accounts is deleted cannot be chosen: those at a bank stay. */
const isLasting = (dataModel: string): boolean =>
  dataModel === 'BANK_ACCOUNTS' || LASTING.includes(KINDS[dataModel] ?? '');

interface ControlObject {
  readonly id: string;
  readonly deleted: boolean;
  readonly object: {
    readonly Options?: readonly { readonly OptionGuid: string }[];
    readonly Bank?: object | null;
  };
}

type Named = readonly { readonly kind: string; readonly id: string }[];

let shared: Promise<Sandbox> | null = null;
let users = 0;
let companies = 0;

/** One of the sandbox's platforms with a company of its own, behind a proxy that makes faults. */
export async function startSandboxPlatform(platform: Platform): Promise<ConformancePlatform> {
  users += 1;
  shared ??= startSandbox({
    databaseUrl: testDatabaseUrl(),
    schema: 'sandbox_conformance',
    companies: [],
    limits: { perMinute: 0, concurrent: 0 },
  });
  const sandbox = await shared;
  companies += 1;
  const company = { ...COMPANY, id: `conformance-${companies}`, platforms: [platform] };
  await sandbox.createCompany(company);
  const proxy = await startFaultProxy(sandbox.url);

  const control = async (path: string, body?: object): Promise<string> => {
    const init = body && {
      method: 'POST' as const,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    };
    // No connection is kept: one that is closed while idle would fail the next call.
    const { statusCode, body: answer } = await request(`${sandbox.url}/_sandbox${path}`, {
      ...init,
      reset: true,
    });
    const text = await answer.text();
    if (statusCode >= 400) throw new Error(`${path} answers ${statusCode}: ${text}`);
    return text;
  };
  const objectsOf = async (dataModel: string): Promise<ControlObject[]> => {
    const kind = KINDS[dataModel] ?? '';
    const lines = await control(`/objects?account=${company.id}&platform=${platform}&kind=${kind}`);
    return lines
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as ControlObject)
      .filter(({ object }) => dataModel !== 'BANK_ACCOUNTS' || object.Bank);
  };
  /** An object and, where it becomes several records, the ids of them all. */
  const idsOf = ({ id, object }: Pick<ControlObject, 'id' | 'object'>): string[] => {
    const own = platform === 'ecommerce' ? id.slice(id.lastIndexOf('/') + 1) : id;
    return [own, ...(object.Options ?? []).map(({ OptionGuid }) => OptionGuid)];
  };

  return {
    baseUrl: proxy.url,
    externalAccountId: company.id,
    calls: proxy.calls,
    fail: proxy.fail,
    reset: proxy.reset,
    expected: expectedOf(platform, company),
    issueToken: async () => {
      const answer = JSON.parse(await control('/tokens', { platform, account: company.id })) as {
        readonly access_token: string;
      };
      return answer.access_token;
    },
    livingIds: async (dataModel) =>
      (await objectsOf(dataModel)).filter(({ deleted }) => !deleted).flatMap(idsOf),
    mutate: async (dataModel): Promise<Mutation> => {
      const kind = KINDS[dataModel] ?? '';
      const { length } = await objectsOf(dataModel);
      const deletes = isLasting(dataModel) ? 0 : Math.min(6, Math.floor(length / 3));
      // Of a few, one at least.
      const share = dataModel === 'BANK_ACCOUNTS' ? 1 : Math.max(0.3, 1 / length);
      const change = { account: company.id, platform, kind, share, deletes, voids: 2, seed: 1 };
      const done = JSON.parse(await control('/mutate', change)) as Record<string, Named>;
      const named = (list: Named = []) => list.filter((one) => one.kind === kind).map(({ id }) => id);
      const deleted = named(done['deleted']);
      const touched = new Set([...named(done['changed']), ...named(done['voided'])]);
      const living = await objectsOf(dataModel);
      return {
        changed: living.filter(({ id }) => touched.has(id) && !deleted.includes(id)).flatMap(idsOf),
        deleted: deleted.flatMap((id) => idsOf({ id, object: {} })),
      };
    },
    steps: {
      delete: async (dataModel) => {
        const kind = KINDS[dataModel] ?? '';
        if (isLasting(dataModel)) return null;
        const change = { account: company.id, platform, kind, share: 0, deletes: 1, voids: 0, seed: 2 };
        const done = JSON.parse(await control('/mutate', change)) as Record<string, Named>;
        const [found] = (done['deleted'] ?? []).filter((one) => one.kind === kind);
        return (found && idsOf({ id: found.id, object: {} })[0]) ?? null;
      },
    },
    ...(platform === 'accounting' ? { writes: booksSamples } : {}),
    ...(platform === 'ecommerce' ? { writes: shopSamples } : {}),
    stop: async () => {
      await proxy.stop();
      users -= 1;
      if (users > 0) return;
      shared = null;
      await sandbox.stop();
    },
  };
}
