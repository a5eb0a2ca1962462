import { Decimal } from 'decimal.js';
import type { UnifiedLine, UnifiedRecord } from '../connectors/connector.js';
import type { Random } from './random.js';

/** The records of a demo company's books by data model, in the order they are stored. */
export type DemoRecords = ReadonlyMap<string, readonly UnifiedRecord[]>;

const DAY = 86_400_000;
/** All demo times count from here. */
const START = Date.parse('2026-01-05T09:00:00.000Z');

/** Code, name, category, sub-category, code of the account above. */
const CHART: readonly (readonly [string, string, string, string, string?])[] = [
  ['1000', 'Assets', 'ASSET', 'CURRENT_ASSET'],
  ['1010', 'Everyday account', 'BANK', 'CHECKING', '1000'],
  ['1020', 'Savings account', 'BANK', 'SAVINGS', '1000'],
  ['1100', 'Accounts receivable', 'ASSET', 'RECEIVABLE', '1000'],
  ['1200', 'Inventory', 'ASSET', 'INVENTORY', '1000'],
  ['1300', 'Prepayments', 'ASSET', 'PREPAYMENT', '1000'],
  ['1500', 'Office equipment', 'ASSET', 'FIXED_ASSET', '1000'],
  ['1510', 'Computer equipment', 'ASSET', 'FIXED_ASSET', '1500'],
  ['2000', 'Liabilities', 'LIABILITY', 'CURRENT_LIABILITY'],
  ['2100', 'Accounts payable', 'LIABILITY', 'PAYABLE', '2000'],
  ['2200', 'Tax payable', 'LIABILITY', 'TAX', '2000'],
  ['2300', 'Wages payable', 'LIABILITY', 'PAYROLL', '2000'],
  ['2400', 'Credit card', 'LIABILITY', 'CREDIT_CARD', '2000'],
  ['2700', 'Bank loan', 'LIABILITY', 'LONG_TERM', '2000'],
  ['3000', 'Owner equity', 'EQUITY', 'EQUITY'],
  ['3100', 'Retained earnings', 'EQUITY', 'RETAINED', '3000'],
  ['4000', 'Sales', 'INCOME', 'REVENUE'],
  ['4100', 'Product sales', 'INCOME', 'REVENUE', '4000'],
  ['4200', 'Service income', 'INCOME', 'REVENUE', '4000'],
  ['4900', 'Interest income', 'INCOME', 'OTHER_INCOME', '4000'],
  ['5000', 'Cost of goods sold', 'EXPENSE', 'DIRECT_COST'],
  ['6000', 'Operating expenses', 'EXPENSE', 'OVERHEAD'],
  ['6100', 'Rent', 'EXPENSE', 'OVERHEAD', '6000'],
  ['6200', 'Wages', 'EXPENSE', 'OVERHEAD', '6000'],
  ['6300', 'Software', 'EXPENSE', 'OVERHEAD', '6000'],
  ['6400', 'Travel', 'EXPENSE', 'OVERHEAD', '6000'],
  ['6500', 'Advertising', 'EXPENSE', 'OVERHEAD', '6000'],
  ['6600', 'Bank fees', 'EXPENSE', 'OVERHEAD', '6000'],
  ['6700', 'Insurance', 'EXPENSE', 'OVERHEAD', '6000'],
  ['6900', 'Suspense', 'UNKNOWN', 'SUSPENSE'],
];
const CURRENCIES = [
  ['AUD', 'Australian Dollar', '$', '1'],
  ['USD', 'US Dollar', '$', '1.5305'],
  ['EUR', 'Euro', '€', '1.6620'],
] as const;
const PLACES = [
  'Harbour',
  'Ridge',
  'Meadow',
  'Lantern',
  'Copper',
  'Willow',
  'Granite',
  'Juniper',
  'Cedar',
  'Falcon',
];
const TRADES = ['Cafe', 'Studio', 'Logistics', 'Books'];
const GOODS = [
  ['Desk lamp', '49.90', '4100'],
  ['Standing desk', '649.00', '4100'],
  ['Office chair', '289.50', '4100'],
  ['Consulting hour', '165.00', '4200'],
  ['Assembly', '80.00', '4200'],
] as const;

const instant = (days: number): string => new Date(START + days * DAY).toISOString();
const day = (days: number): string => instant(days).slice(0, 10);

/** The books of one demo company: a chart of accounts, contacts, invoices and credit notes whose totals add up. */
export function createBooks(random: Random): DemoRecords {
  const contacts = createContacts(random);
  const invoices = Array.from({ length: 40 }, (_, index) => createInvoice(random, index, contacts));
  return new Map<string, UnifiedRecord[]>([
    ['CURRENCIES', CURRENCIES.map(createCurrency)],
    ['ACCOUNTS', CHART.map((entry, index) => createAccount(random, entry, index))],
    ['CONTACTS', contacts],
    ['INVOICES', invoices],
    [
      'INVOICE_CREDIT_NOTES',
      Array.from({ length: 32 }, (_, index) => createCreditNote(random, index, invoices)),
    ],
  ]);
}

function createCurrency([code, name, symbol, exchangeRate]: (typeof CURRENCIES)[number]): UnifiedRecord {
  const isBaseCurrency = code === 'AUD';
  return {
    platformId: `cur-${code.toLowerCase()}`,
    values: { code, name, symbol, exchangeRate, isBaseCurrency, updatedAt: instant(0) },
  };
}

function createAccount(random: Random, entry: (typeof CHART)[number], index: number): UnifiedRecord {
  const [nominalCode, name, category, subCategory, parent] = entry;
  return {
    platformId: `acc-${nominalCode}`,
    values: {
      name,
      description: `${name} of the company`,
      nominalCode,
      category,
      subCategory,
      status: nominalCode === '6900' ? 'ARCHIVED' : 'ACTIVE',
      currentBalance: new Decimal(random.integer(-500_000, 4_000_000)).div(100).toFixed(2),
      currencyId: 'cur-aud',
      currencyCode: 'AUD',
      parentAccountId: parent ? `acc-${parent}` : null,
      updatedAt: instant(index),
    },
  };
}

function createContacts(random: Random): UnifiedRecord[] {
  return PLACES.flatMap((place, row) =>
    TRADES.map((trade, column) => {
      const index = row * TRADES.length + column;
      const currency = index % 7 === 0 ? 'usd' : 'aud';
      return {
        platformId: `con-${index + 1}`,
        values: {
          name: `${place} ${trade}`,
          contactName: `${random.pick(['Mia', 'Noah', 'Ava', 'Leo', 'Zoe'])} ${place}`,
          contactType: index % 4 === 3 ? 'VENDOR' : 'CUSTOMER',
          currencyId: `cur-${currency}`,
          taxNumber: String(random.integer(10_000_000_000, 99_999_999_999)),
          registrationNumber: null,
          status: index % 19 === 18 ? 'ARCHIVED' : 'ACTIVE',
          updatedAt: instant(index),
        },
      };
    }),
  );
}

/** Lines at 10 % tax, and what they add up to. */
function createLines(random: Random, document: string, type: string) {
  const lines: UnifiedLine[] = [];
  let subTotal = new Decimal(0);
  let taxAmount = new Decimal(0);
  const count = random.integer(1, 4);
  for (let position = 0; position < count; position += 1) {
    const [description, unitAmount, account] = random.pick(GOODS);
    const quantity = random.integer(1, 6);
    const net = new Decimal(unitAmount).times(quantity);
    const tax = net.times('0.1').toDecimalPlaces(2);
    subTotal = subTotal.plus(net);
    taxAmount = taxAmount.plus(tax);
    lines.push({
      platformId: `${document}-line-${position + 1}`,
      values: {
        lineItemType: type,
        lineItemTypeId: document,
        accountId: `acc-${account}`,
        accountCode: account,
        description,
        quantity: String(quantity),
        unitAmount,
        subTotal: net.toFixed(2),
        taxAmount: tax.toFixed(2),
        totalAmount: net.plus(tax).toFixed(2),
        totalDiscount: '0.00',
        taxId: 'tax-gst',
      },
    });
  }
  return { lines, subTotal, taxAmount, totalAmount: subTotal.plus(taxAmount) };
}

function createInvoice(random: Random, index: number, contacts: readonly UnifiedRecord[]): UnifiedRecord {
  const platformId = `inv-${index + 1}`;
  const { lines, subTotal, taxAmount, totalAmount } = createLines(random, platformId, 'INVOICES');
  const status = random.pick([
    'DRAFT',
    'SUBMITTED',
    'SUBMITTED',
    'PARTIALLY_PAID',
    'PAID',
    'PAID',
    'VOID',
  ] as const);
  const due = { PAID: '0', VOID: '0', PARTIALLY_PAID: '0.5', DRAFT: '1', SUBMITTED: '1' }[status];
  return {
    platformId,
    values: {
      contactId: random.pick(contacts).platformId,
      currencyId: 'cur-aud',
      currencyCode: 'AUD',
      currencyRate: '1',
      documentNumber: `INV-${String(index + 1).padStart(4, '0')}`,
      postedDate: day(index * 3),
      dueDate: day(index * 3 + 30),
      memo: index % 5 === 0 ? 'Thank you for your order' : null,
      status,
      subTotal: subTotal.toFixed(2),
      taxAmount: taxAmount.toFixed(2),
      totalDiscount: '0.00',
      totalAmount: totalAmount.toFixed(2),
      amountDue: totalAmount.times(due).toDecimalPlaces(2).toFixed(2),
      updatedAt: instant(index * 3 + 1),
    },
    lines: { lineItems: lines },
  };
}

function createCreditNote(random: Random, index: number, invoices: readonly UnifiedRecord[]): UnifiedRecord {
  const platformId = `cn-${index + 1}`;
  const { lines, taxAmount, totalAmount } = createLines(random, platformId, 'INVOICE_CREDIT_NOTES');
  const invoice = random.pick(invoices);
  const used = index % 3 === 0;
  return {
    platformId,
    values: {
      contactId: (invoice.values as { contactId?: string }).contactId ?? null,
      currencyId: 'cur-aud',
      currencyCode: 'AUD',
      documentNumber: `CN-${String(index + 1).padStart(4, '0')}`,
      invoiceIds: used ? [invoice.platformId] : [],
      memo: random.pick(['Damaged in transit', 'Returned', 'Price adjustment', 'Goodwill']),
      postedDate: day(index * 4 + 2),
      remainingCredit: used ? '0.00' : totalAmount.toFixed(2),
      status: used ? 'PAID' : 'SUBMITTED',
      taxAmount: taxAmount.toFixed(2),
      totalAmount: totalAmount.toFixed(2),
      updatedAt: instant(index * 4 + 2),
    },
    lines: { lineItems: lines },
  };
}
