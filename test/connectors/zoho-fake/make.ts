import { Decimal } from 'decimal.js';

import {
  type Account,
  type Contact,
  type Currency,
  type DocumentKind,
  type Item,
  type Line,
  type Payment,
  type Place,
  type Tax,
  type TradeDocument,
} from './domain.js';
import { ZohoOrganization } from './organization.js';
import { totalsOf } from './totals.js';

const d = (value: Decimal.Value): Decimal => new Decimal(value);
const NONE = d(0);

/** More than a page holds. */
const ITEMS = 230;
const INVOICES = 60;

/** An organization with something of every kind; invoices and items take several pages. */
export function makeOrganization(): ZohoOrganization {
  const organization = new ZohoOrganization();
  const { usd, eur } = makeCurrencies(organization);
  const taxes = makeTaxes(organization);
  const accounts = makeAccounts(organization, usd, eur);
  const items = makeItems(organization, accounts, taxes);
  const contacts = makeContacts(organization, usd, eur);
  const lines = new LineMaker(organization, { items, taxes, accounts });
  makeDocuments({ organization, contacts, lines, accounts });
  makePayments(organization, accounts);
  makeJournals(organization, accounts, usd);
  organization.advance(3600);
  return organization;
}

function makeCurrencies(organization: ZohoOrganization) {
  const make = (code: string, name: string, symbol: string, rate: string): Currency => {
    const currency = { ...organization.kept(), code, name, symbol, isBase: code === 'USD', rate: d(rate) };
    organization.currencies.push(currency);
    return currency;
  };
  const usd = make('USD', 'United States Dollar', '$', '1');
  return { usd, eur: make('EUR', 'Euro', '€', '1.0834'), jpy: make('JPY', 'Japanese Yen', '¥', '0.0064') };
}

function makeTaxes(organization: ZohoOrganization): readonly Tax[] {
  const make = (name: string, rate: string, kind: Tax['kind'], members: readonly Tax[] = []): Tax => {
    const tax = { ...organization.kept(), name, rate: d(rate), kind, agency: 'State of New York', members };
    organization.taxes.push(tax);
    return tax;
  };
  const state = make('State tax', '4', 'tax');
  const city = make('City tax', '4.5', 'tax');
  make('Luxury tax', '2.25', 'compound_tax');
  return [state, city, make('Sales taxes', '8.5', 'tax_group', [state, city])];
}

interface Accounts {
  readonly income: Account;
  readonly outlay: Account;
  readonly cash: Account;
  readonly bank: Account;
}

function makeAccounts(organization: ZohoOrganization, usd: Currency, eur: Currency): Accounts {
  const make = (name: string, type: string, more: Partial<Account> = {}): Account => {
    const account = {
      ...organization.kept(),
      name,
      type,
      code: `A${organization.accounts.length + 1}`,
      parentId: '',
      balance: d('1234.56'),
      isActive: true,
      bank: null,
      ...more,
    };
    organization.accounts.push(account);
    return account;
  };
  const income = make('Sales', 'income', { balance: d('12345678901234567.89') });
  make('Sales abroad', 'income', { parentId: income.id });
  make('Accounts Receivable', 'accounts_receivable');
  make('Accounts Payable', 'accounts_payable');
  make('Retained Earnings', 'equity', { balance: d('-0.5') });
  make('Furniture', 'fixed_asset');
  make('Tax Payable', 'other_current_liability');
  make('Odds and ends', 'something_else');
  make('Corporate card', 'credit_card', { bank: { name: 'Card Co', number: 'x-4411', currency: usd } });
  make('Euro account', 'bank', { bank: { name: 'Banque', number: 'FR76', currency: eur } });
  return {
    income,
    outlay: make('Office Supplies', 'expense'),
    cash: make('Undeposited Funds', 'cash'),
    bank: make('Checking', 'bank', { bank: { name: 'First Bank', number: '80000009823', currency: usd } }),
  };
}

function makeItems(
  organization: ZohoOrganization,
  { income, outlay }: Accounts,
  taxes: readonly Tax[],
): readonly Item[] {
  const KINDS = ['sales', 'purchases', 'sales_and_purchases', 'inventory'] as const;
  for (let index = 0; index < ITEMS; index += 1) {
    const kind = KINDS[index % KINDS.length] ?? 'sales';
    organization.items.push({
      ...organization.kept(),
      name: `Item ${String(index).padStart(3, '0')}`,
      description: `Thing ${index}`,
      sku: `SKU-${index}`,
      kind,
      product: index % 3 === 0 ? 'service' : 'goods',
      price: d(index).plus('0.995'),
      cost: kind === 'sales' ? NONE : d(index).div(4),
      stock: kind === 'inventory' ? d(index * 2) : null,
      income,
      outlay,
      tax: taxes[index % 4] ?? null,
      isActive: index % 50 !== 49,
    });
  }
  return organization.items;
}

const PLACE: Place = {
  address: '4900 Hopyard Rd',
  street2: 'Suite 310',
  city: 'Pleasanton',
  state: 'CA',
  zip: '94588',
  country: 'U.S.A',
};

function makeContacts(organization: ZohoOrganization, usd: Currency, eur: Currency): readonly Contact[] {
  for (let index = 0; index < 16; index += 1) {
    organization.advance(1);
    const isBare = index % 5 === 4;
    organization.contacts.push({
      ...organization.kept(),
      name: `Contact ${index}`,
      kind: index % 2 === 0 ? 'customer' : 'vendor',
      firstName: isBare ? '' : 'Jo',
      lastName: isBare ? '' : `Smith ${index}`,
      email: isBare ? '' : `jo${index}@example.com`,
      phone: isBare ? '' : `+1-555-01${index}`,
      mobile: isBare ? '' : `+1-555-02${index}`,
      fax: isBare ? '' : `+1-555-03${index}`,
      website: isBare ? '' : 'www.example.com',
      taxNumber: isBare ? '' : `GST${index}`,
      currency: index % 4 === 0 ? eur : usd,
      billing: isBare ? null : PLACE,
      shipping: index % 3 === 0 ? { ...PLACE, street2: '' } : null,
      isActive: index !== 7,
    });
  }
  return organization.contacts;
}

class LineMaker {
  #made = 0;

  constructor(
    private readonly organization: ZohoOrganization,
    private readonly of: {
      readonly items: readonly Item[];
      readonly taxes: readonly Tax[];
      readonly accounts: Accounts;
    },
  ) {}

  make(kind: DocumentKind): Line[] {
    this.#made += 1;
    const seed = this.#made;
    const { items, taxes, accounts } = this.of;
    const isBought = ['bill', 'vendorcredit', 'purchaseorder', 'expense'].includes(kind);
    return Array.from({ length: 1 + (seed % 3) }, (_, index): Line => ({
      id: this.organization.nextId(),
      item: index === 1 || kind === 'expense' ? null : (items[(seed * 7 + index) % items.length] ?? null),
      account: isBought ? accounts.outlay : accounts.income,
      description: `Line ${index + 1} of ${seed}`,
      quantity: kind === 'expense' ? d(1) : d(seed % 5).plus('0.5'),
      price: d(seed).times('3.337').plus(index),
      discount: index === 2 ? d('0.25') : NONE,
      tax: taxes[(seed + index) % 4] ?? null,
      tagId: seed % 4 === 0 ? '460000000094001' : null,
    }));
  }
}

interface Making {
  readonly organization: ZohoOrganization;
  readonly contacts: readonly Contact[];
  readonly lines: LineMaker;
  readonly accounts: Accounts;
}

function makeDocuments(making: Making): void {
  makeSome(making, 'salesorder', 8, ['draft', 'open', 'invoiced', 'void']);
  makeSome(making, 'purchaseorder', 8, ['draft', 'open', 'billed', 'cancelled']);
  makeSome(making, 'invoice', INVOICES, [
    'sent',
    'draft',
    'paid',
    'overdue',
    'partially_paid',
    'void',
    'viewed',
  ]);
  makeSome(making, 'bill', 14, ['open', 'draft', 'paid', 'overdue', 'partially_paid', 'void']);
  makeSome(making, 'creditnote', 9, ['open', 'draft', 'closed', 'void']);
  makeSome(making, 'vendorcredit', 9, ['open', 'draft', 'closed', 'void']);
  makeSome(making, 'expense', 9, ['nonbillable', 'unbilled']);
}

const LINKS: Partial<Record<DocumentKind, DocumentKind>> = {
  invoice: 'salesorder',
  bill: 'purchaseorder',
  creditnote: 'invoice',
  vendorcredit: 'bill',
};

const SOLD: readonly DocumentKind[] = ['salesorder', 'invoice', 'creditnote'];

function makeSome(making: Making, kind: DocumentKind, count: number, statuses: readonly string[]): void {
  const { organization, contacts, lines, accounts } = making;
  const side = contacts.filter((contact) => (contact.kind === 'customer') === SOLD.includes(kind));
  for (let index = 0; index < count; index += 1) {
    // Some are of one second.
    if (index % 4 === 0) organization.advance(60);
    const status = statuses[index % statuses.length] ?? '';
    const contact = side[index % side.length] ?? null;
    const currency = contact?.currency ?? organization.currencies[0];
    if (!currency) throw new Error('there are no currencies');
    const isPlain = kind === 'expense' || index % 3 === 0;
    const linked = LINKS[kind];
    const document: TradeDocument = {
      ...organization.kept(),
      kind,
      number: `${kind.toUpperCase()}-${index + 1}`,
      contact: kind === 'expense' && index % 2 === 0 ? null : contact,
      currency,
      date: `2026-05-${String((index % 28) + 1).padStart(2, '0')}`,
      dueDate: `2026-06-${String((index % 28) + 1).padStart(2, '0')}`,
      status,
      notes: `Note ${index}`,
      lines: lines.make(kind),
      isInclusive: index % 5 === 1,
      discount: isPlain || index % 5 === 1 ? NONE : d('0.75'),
      shipping: isPlain || index % 2 === 0 ? NONE : d('12.5'),
      adjustment: isPlain ? NONE : d('-0.05'),
      settled: NONE,
      linkedIds:
        linked && index % 2 === 0
          ? organization
              .of(linked)
              .slice(0, 1)
              .map(({ id }) => id)
          : [],
      paidFrom: kind === 'expense' ? accounts.cash : null,
    };
    const { total } = totalsOf(document);
    if (['paid', 'closed', 'void'].includes(status)) document.settled = total;
    if (status === 'partially_paid') document.settled = total.div(3).toDecimalPlaces(2);
    organization.documents.push(document);
  }
}

function makePayments(organization: ZohoOrganization, { cash, bank }: Accounts): void {
  const make = (kind: Payment['kind'], index: number): void => {
    const documents = organization.of(kind === 'customer' ? 'invoice' : 'bill');
    const contact = organization.contacts.find((one) => one.kind === kind);
    if (!contact) throw new Error(`there is no ${kind}`);
    const paid = index % 4 === 3 ? [] : documents.slice(index, index + 1 + (index % 3));
    const applied = paid.map(({ id }, place) => ({ id, amount: d('10.01').plus(place) }));
    organization.payments.push({
      ...organization.kept(),
      kind,
      number: String(index + 1),
      contact,
      currency: contact.currency,
      date: `2026-05-${String(index + 1).padStart(2, '0')}`,
      mode: index % 2 === 0 ? 'cash' : 'Bank Transfer',
      notes: `Payment ${index}`,
      amount: Decimal.sum(index % 2 === 0 ? 0 : 5, ...applied.map(({ amount }) => amount)),
      applied,
      account: index % 2 === 0 ? cash : bank,
    });
  };
  for (let index = 0; index < 10; index += 1) make('customer', index);
  for (let index = 0; index < 10; index += 1) make('vendor', index);
}

function makeJournals(organization: ZohoOrganization, { cash, outlay }: Accounts, usd: Currency): void {
  for (let index = 0; index < 7; index += 1) {
    const amount = d(index + 1).times('33.33');
    const line = { description: `Entry ${index}`, amount };
    organization.journals.push({
      ...organization.kept(),
      number: String(index + 1),
      date: `2026-04-${String(index + 1).padStart(2, '0')}`,
      currency: usd,
      notes: `Journal ${index}`,
      status: index === 2 ? 'draft' : 'published',
      lines: [
        {
          ...line,
          id: organization.nextId(),
          account: outlay,
          contact: index % 2 === 0 ? (organization.contacts[0] ?? null) : null,
          side: 'debit',
        },
        { ...line, id: organization.nextId(), account: cash, contact: null, side: 'credit' },
      ],
    });
  }
}
