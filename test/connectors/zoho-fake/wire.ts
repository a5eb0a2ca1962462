import { Decimal } from 'decimal.js';

import {
  type Account,
  type Contact,
  type Currency,
  type DocumentKind,
  type Item,
  type Journal,
  type Kept,
  type Line,
  type Payment,
  type Place,
  type Tax,
  type TradeDocument,
} from './domain.js';
import { type ZohoOrganization } from './organization.js';
import { type Json, num } from './problems.js';
import { leftOf, lineTotals, totalsOf } from './totals.js';

/** A time in the organization's zone, as Zoho writes it. */
export function stamp(time: Date): string {
  const local = new Date(time.getTime() - 4 * 3_600_000).toISOString();
  return `${local.slice(0, 19)}-0400`;
}

const stamps = ({ createdAt, updatedAt }: Kept): Json => ({
  created_time: stamp(createdAt),
  last_modified_time: stamp(updatedAt),
});

export const wireCurrency = (currency: Currency): Json => ({
  currency_id: currency.id,
  currency_code: currency.code,
  currency_name: `${currency.code}- ${currency.name}`,
  currency_symbol: currency.symbol,
  price_precision: 2,
  is_base_currency: currency.isBase,
  exchange_rate: num(currency.rate),
});

export const wireTax = (tax: Tax): Json => ({
  tax_id: tax.id,
  tax_name: tax.name,
  tax_percentage: num(tax.rate),
  tax_type: tax.kind,
  tax_specific_type: '',
  tax_authority_id: '',
  tax_authority_name: tax.agency,
  is_value_added: true,
});

export const wireAccount = (account: Account): Json => ({
  account_id: account.id,
  account_name: account.name,
  account_code: account.code,
  account_type: account.type,
  ...(account.description === undefined ? {} : { description: account.description }),
  ...(account.currency ? { currency_id: account.currency.id, currency_code: account.currency.code } : {}),
  is_active: account.isActive,
  current_balance: num(account.balance),
  parent_account_id: account.parentId,
  ...stamps(account),
});

export const wireBankAccount = (account: Account): Json => ({
  account_id: account.id,
  account_name: account.name,
  account_code: account.code,
  account_type: account.type,
  account_number: account.bank?.number ?? '',
  bank_name: account.bank?.name ?? '',
  currency_id: account.bank?.currency.id ?? '',
  currency_code: account.bank?.currency.code ?? '',
  is_active: account.isActive,
  balance: num(account.balance),
});

export const wireItem = (item: Item): Json => ({
  item_id: item.id,
  name: item.name,
  item_name: item.name,
  status: item.isActive ? 'active' : 'inactive',
  description: item.description,
  rate: num(item.price),
  tax_id: item.tax?.id ?? '',
  tax_percentage: num(item.tax?.rate ?? new Decimal(0)),
  purchase_account_id: item.kind === 'sales' ? '' : item.outlay.id,
  account_id: item.kind === 'purchases' ? '' : item.income.id,
  purchase_description: item.remark ?? `Bought: ${item.description}`,
  purchase_rate: num(item.cost),
  item_type: item.kind,
  product_type: item.product,
  ...(item.stock ? { stock_on_hand: num(item.stock) } : {}),
  sku: item.sku,
  ...stamps(item),
});

const NO_PLACE: Place = { address: '', street2: '', city: '', state: '', zip: '', country: '' };
const wirePlace = (place: Place | null, fax = ''): Json => ({
  attention: '',
  ...(place ?? NO_PLACE),
  fax,
  phone: '',
});

/** As in the list. */
export const wireListedContact = (contact: Contact): Json => ({
  contact_id: contact.id,
  contact_name: contact.name,
  contact_type: contact.kind,
  status: contact.isActive ? 'active' : 'inactive',
  currency_id: contact.currency.id,
  currency_code: contact.currency.code,
  first_name: contact.firstName,
  last_name: contact.lastName,
  email: contact.email,
  phone: contact.phone,
  mobile: contact.mobile,
  website: contact.website,
  ...stamps(contact),
});

export const wireContact = (contact: Contact): Json => ({
  ...wireListedContact(contact),
  gst_no: contact.taxNumber,
  notes: contact.remarks ?? '',
  billing_address: wirePlace(contact.billing, contact.fax),
  shipping_address: wirePlace(contact.shipping),
  contact_persons: [
    {
      contact_person_id: `${contact.id}1`,
      first_name: contact.firstName,
      last_name: contact.lastName,
      email: contact.email,
      phone: contact.phone,
      mobile: contact.mobile,
      is_primary_contact: true,
    },
  ],
});

/** What Zoho calls documents, their numbers and their contacts. */
interface Names {
  readonly id: string;
  readonly number: string;
  readonly contact: 'customer' | 'vendor';
  readonly links: readonly [list: string, id: string];
}

export const NAMES: Readonly<Record<DocumentKind, Names>> = {
  invoice: {
    id: 'invoice_id',
    number: 'invoice_number',
    contact: 'customer',
    links: ['salesorders', 'salesorder_id'],
  },
  bill: {
    id: 'bill_id',
    number: 'bill_number',
    contact: 'vendor',
    links: ['purchaseorders', 'purchaseorder_id'],
  },
  creditnote: {
    id: 'creditnote_id',
    number: 'creditnote_number',
    contact: 'customer',
    links: ['invoices_credited', 'invoice_id'],
  },
  vendorcredit: {
    id: 'vendor_credit_id',
    number: 'vendor_credit_number',
    contact: 'vendor',
    links: ['bills_credited', 'bill_id'],
  },
  salesorder: {
    id: 'salesorder_id',
    number: 'salesorder_number',
    contact: 'customer',
    links: ['invoices', 'invoice_id'],
  },
  purchaseorder: {
    id: 'purchaseorder_id',
    number: 'purchaseorder_number',
    contact: 'vendor',
    links: ['bills', 'bill_id'],
  },
  expense: { id: 'expense_id', number: 'reference_number', contact: 'vendor', links: ['', ''] },
};

/** As in the list, without its lines. */
export function wireListedDocument(document: TradeDocument): Json {
  const { id, number, contact } = NAMES[document.kind];
  const { total, open } = totalsOf(document);
  return {
    [id]: document.id,
    [number]: document.number,
    [`${contact}_id`]: document.contact?.id ?? '',
    [`${contact}_name`]: document.contact?.name ?? '',
    status: document.status,
    date: document.date,
    due_date: document.dueDate,
    currency_id: document.currency.id,
    currency_code: document.currency.code,
    exchange_rate: num(document.rate ?? document.currency.rate),
    ...(document.kind === 'expense' ? {} : { reference_number: document.reference ?? '' }),
    total: num(total),
    balance: num(open),
    ...stamps(document),
  };
}

export function wireDocument(document: TradeDocument): Json {
  const { net, tax, total } = totalsOf(document);
  const { links, number } = NAMES[document.kind];
  const common = {
    ...wireListedDocument(document),
    is_inclusive_tax: document.isInclusive,
    line_items: document.lines.map((line) => wireLine(line, document)),
    sub_total: num(net),
    total: num(total),
    custom_fields: [],
  };
  if (document.kind === 'expense') {
    return {
      ...common,
      [number]: document.number,
      description: document.notes,
      tax_amount: num(tax),
      paid_through_account_id: document.paidFrom?.id ?? '',
      payment_mode: 'Cash',
    };
  }
  return {
    ...common,
    notes: document.notes,
    tax_total: num(tax),
    discount_type: document.discount.isZero() ? 'item_level' : 'entity_level',
    discount_total: num(document.discount),
    discount_account_id: '',
    shipping_charge: num(document.shipping),
    shipping_charge_exclusive_of_tax: num(document.shipping),
    shipping_charge_tax: '',
    adjustment: num(document.adjustment),
    adjustment_description: 'Goodwill',
    roundoff_value: 0,
    delivery_date: document.dueDate,
    shipment_date: document.dueDate,
    billing_address: wirePlace(document.contact?.billing ?? null),
    shipping_address: wirePlace(document.contact?.shipping ?? null),
    [links[0]]: document.linkedIds.map((linked) => ({ [links[1]]: linked })),
  };
}

function wireLine(line: Line, document: TradeDocument): Json {
  const { net, tax, gross } = lineTotals(line, document);
  return {
    line_item_id: line.id,
    item_id: line.item?.id ?? '',
    name: line.item?.name ?? '',
    description: line.description,
    account_id: line.account.id,
    quantity: num(line.quantity),
    rate: num(line.price),
    discount: num(line.discount),
    discount_amount: num(line.discount),
    tax_id: line.tax?.id ?? '',
    tax_percentage: num(line.tax?.rate ?? new Decimal(0)),
    line_item_taxes: line.tax ? [{ tax_id: line.tax.id, tax_name: line.tax.name, tax_amount: num(tax) }] : [],
    item_total: num(net),
    item_total_inclusive_of_tax: document.isInclusive ? num(gross) : 0,
    tags: line.tagId === null ? [] : [{ tag_id: '1', tag_option_id: line.tagId }],
  };
}

/** As in the list, without what it pays. */
export const wireListedPayment = (payment: Payment): Json => ({
  payment_id: payment.id,
  payment_number: payment.number,
  date: payment.date,
  payment_mode: payment.mode,
  amount: num(payment.amount),
  [`${payment.kind}_id`]: payment.contact.id,
  description: payment.notes,
  reference_number: payment.reference ?? '',
  ...stamps(payment),
});

export function wirePayment(payment: Payment): Json {
  const isCustomers = payment.kind === 'customer';
  const paid = payment.applied.map(({ id, amount }) => ({
    [isCustomers ? 'invoice_id' : 'bill_id']: id,
    amount_applied: num(amount),
    tax_amount_withheld: 0,
  }));
  const { last_modified_time, ...listed } = wireListedPayment(payment);
  return {
    ...listed,
    ...(isCustomers ? { updated_time: last_modified_time } : { last_modified_time }),
    currency_id: payment.currency.id,
    currency_code: payment.currency.code,
    exchange_rate: num(payment.rate ?? payment.currency.rate),
    [isCustomers ? 'account_id' : 'paid_through_account_id']: payment.account.id,
    [isCustomers ? 'unused_amount' : 'balance']: num(leftOf(payment)),
    [isCustomers ? 'invoices' : 'bills']: paid,
    custom_fields: [],
  };
}

const sideOf = ({ lines }: Journal): Decimal =>
  Decimal.sum(0, ...lines.filter(({ side }) => side === 'debit').map(({ amount }) => amount));

export const wireListedJournal = (journal: Journal): Json => ({
  journal_id: journal.id,
  journal_date: journal.date,
  entry_number: journal.number,
  notes: journal.notes,
  currency_id: journal.currency.id,
  total: num(sideOf(journal)),
  ...stamps(journal),
});

export const wireJournal = (journal: Journal): Json => ({
  ...wireListedJournal(journal),
  currency_code: journal.currency.code,
  exchange_rate: num(journal.currency.rate),
  journal_type: 'both',
  status: journal.status,
  line_items: journal.lines.map((line) => ({
    line_id: line.id,
    account_id: line.account.id,
    customer_id: line.contact?.id ?? '',
    description: line.description,
    debit_or_credit: line.side,
    tax_id: '',
    line_item_taxes: [],
    amount: num(line.amount),
    tags: [],
  })),
});

export const wireOrganization = (organization: ZohoOrganization): Json => ({
  organization_id: organization.id,
  name: organization.name,
  is_default_org: true,
  account_created_date: '2024-02-15',
  time_zone: 'America/New_York',
  fiscal_year_start_month: '1',
  tax_id_value: 'TAX-7',
  company_id_value: 'COMP-9',
  currency_id: organization.currencies[0]?.id ?? '',
  currency_code: organization.currencies[0]?.code ?? '',
});
