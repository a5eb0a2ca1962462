import { Decimal } from 'decimal.js';

import { type UnifiedLine, type UnifiedRecord } from '../../../src/connectors/pull.js';
import { comparable } from '../asked-for.js';
import { type Expected } from '../conformance.js';
import { definitionFor } from '../plain-values.js';
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
import { objectsOf } from './models.js';
import { type ZohoOrganization } from './organization.js';
import { leftOf, lineTotals, totalsOf } from './totals.js';

/** What a connector must make of an organization, told from what it is and not from what is sent of it. */
export function expectedOf(organization: ZohoOrganization): Expected {
  return {
    of: (dataModel) =>
      objectsOf(organization, dataModel).flatMap(
        (object) => EXPECTED[dataModel]?.(object as never, organization) ?? [],
      ),
    comparable: (dataModel, record) => comparable(definitionFor(dataModel), record),
  };
}

const EXPECTED: Readonly<
  Record<string, (object: never, organization: ZohoOrganization) => UnifiedRecord | UnifiedRecord[]>
> = {
  CURRENCIES: expectedCurrency,
  TAX_RATES: expectedTax,
  ACCOUNTS: expectedAccount,
  BANK_ACCOUNTS: expectedBankAccount,
  ITEMS: expectedItem,
  CONTACTS: expectedContact,
  INVOICES: expectedDocument,
  BILLS: expectedDocument,
  INVOICE_CREDIT_NOTES: expectedDocument,
  BILL_CREDIT_NOTES: expectedDocument,
  SALES_ORDERS: expectedDocument,
  PURCHASE_ORDERS: expectedDocument,
  EXPENSES: expectedExpense,
  INVOICE_PAYMENTS: expectedPayments,
  BILL_PAYMENTS: expectedPayments,
  JOURNAL_ENTRIES: expectedJournal,
  COMPANY_INFO: (organization: ZohoOrganization) => ({
    platformId: organization.id,
    values: {
      name: organization.name,
      taxNumber: 'TAX-7',
      registrationNumber: 'COMP-9',
      baseCurrency: 'USD',
      fiscalStartAt: '2024-02-01',
      orgCreatedAt: '2024-02-15T00:00:00.000Z',
    },
  }),
};

const text = (value: Decimal): string => value.toFixed();
const updatedAt = ({ updatedAt: time }: Kept): string => time.toISOString();
const record = (platformId: string, values: object, lines: UnifiedRecord['lines'] = {}): UnifiedRecord => ({
  platformId,
  values,
  lines,
});
const line = (platformId: string | null, values: object): UnifiedLine => ({ platformId, values });

function expectedCurrency({ id, code, name, symbol, isBase, rate }: Currency): UnifiedRecord {
  return record(id, { code, name, symbol, isBaseCurrency: isBase, exchangeRate: text(rate) });
}

function expectedTax(tax: Tax): UnifiedRecord {
  const members = tax.kind === 'tax_group' ? tax.members : [tax];
  const values = {
    name: tax.name,
    code: tax.name,
    effectiveTaxRate: text(tax.rate),
    totalTaxRate: text(Decimal.sum(0, ...members.map(({ rate }) => rate))),
  };
  const components = members.map(({ name, rate, agency, kind }) =>
    line(null, { name, rate: text(rate), taxAgency: agency, isCompound: kind === 'compound_tax' }),
  );
  return record(tax.id, values, { components });
}

const CATEGORIES: Readonly<Record<string, string>> = {
  income: 'INCOME',
  accounts_receivable: 'ASSET',
  accounts_payable: 'LIABILITY',
  equity: 'EQUITY',
  fixed_asset: 'ASSET',
  other_current_liability: 'LIABILITY',
  credit_card: 'LIABILITY',
  bank: 'BANK',
  expense: 'EXPENSE',
  cash: 'ASSET',
};

function expectedAccount(account: Account): UnifiedRecord {
  return record(account.id, {
    name: account.name,
    nominalCode: account.code,
    category: CATEGORIES[account.type] ?? 'UNKNOWN',
    subCategory: account.type.toUpperCase(),
    status: account.isActive ? 'ACTIVE' : 'ARCHIVED',
    currentBalance: text(account.balance),
    parentAccountId: account.parentId === '' ? null : account.parentId,
    updatedAt: updatedAt(account),
  });
}

function expectedBankAccount({ id, name, type, balance, bank }: Account): UnifiedRecord {
  return record(id, {
    institutionName: bank?.name,
    accountName: name,
    accountNumber: bank?.number,
    balance: text(balance),
    currencyId: bank?.currency.id,
    currencyCode: bank?.currency.code,
    category: type.toUpperCase(),
  });
}

function expectedItem(item: Item): UnifiedRecord {
  const [isSold, isBought] = [item.kind !== 'purchases', item.kind !== 'sales'];
  return record(item.id, {
    name: item.name,
    description: item.description,
    code: item.sku,
    status: item.isActive ? 'ACTIVE' : 'ARCHIVED',
    type: item.kind === 'inventory' ? 'INVENTORY' : item.product === 'goods' ? 'NON_INVENTORY' : 'SERVICE',
    quantityOnHand: item.stock && text(item.stock),
    isBillItem: isBought,
    isInvoiceItem: isSold,
    ...(isBought && {
      billItemAccountId: item.outlay.id,
      billItemUnitPrice: text(item.cost),
      billItemDescription: `Bought: ${item.description}`,
    }),
    ...(isSold && {
      invoiceItemAccountId: item.income.id,
      invoiceItemTaxId: item.tax?.id,
      invoiceItemUnitPrice: text(item.price),
      invoiceItemDescription: item.description,
    }),
    updatedAt: updatedAt(item),
  });
}

const some = (value: string): string | null => (value === '' ? null : value);

function expectedContact(contact: Contact): UnifiedRecord {
  const numbers = [
    ['TELEPHONE', contact.phone],
    ['MOBILE', contact.mobile],
    ['FAX', contact.fax],
  ] as const;
  const links = [
    ['EMAIL', contact.email],
    ['WEBSITE', contact.website],
  ] as const;
  return record(
    contact.id,
    {
      name: contact.name,
      contactName: some(`${contact.firstName} ${contact.lastName}`.trim()),
      contactType: contact.kind.toUpperCase(),
      currencyId: contact.currency.id,
      taxNumber: some(contact.taxNumber),
      status: contact.isActive ? 'ACTIVE' : 'ARCHIVED',
      updatedAt: updatedAt(contact),
    },
    {
      phoneNumbers: numbers.flatMap(([type, number]) => (number === '' ? [] : line(null, { number, type }))),
      addresses: expectedPlaces('CONTACTS', contact.id, contact),
      externalLinks: links.flatMap(([type, link]) => (link === '' ? [] : line(null, { link, type }))),
    },
  );
}

const expectedPlaces = (dataModel: string, dataModelId: string, contact: Contact | null): UnifiedLine[] =>
  (
    [
      ['BILLING', contact?.billing ?? null],
      ['SHIPPING', contact?.shipping ?? null],
    ] as const
  ).flatMap(([type, place]: readonly [string, Place | null]) =>
    place === null
      ? []
      : line(null, {
          dataModel,
          dataModelId,
          type,
          street: place.street2 === '' ? place.address : `${place.address}, ${place.street2}`,
          locality: some(place.street2),
          city: place.city,
          state: place.state,
          pincode: place.zip,
          country: place.country,
        }),
  );

const TYPES: Readonly<Record<DocumentKind, string>> = {
  invoice: 'INVOICES',
  bill: 'BILLS',
  creditnote: 'INVOICE_CREDIT_NOTES',
  vendorcredit: 'BILL_CREDIT_NOTES',
  salesorder: 'SALES_ORDERS',
  purchaseorder: 'PURCHASE_ORDERS',
  expense: 'EXPENSES',
};

function expectedLines(document: TradeDocument): UnifiedLine[] {
  const parent = { lineItemType: TYPES[document.kind], lineItemTypeId: document.id };
  const lines = document.lines.map((one) => expectedLine(one, document, parent));
  if (document.kind === 'expense') return lines;
  const besides = [
    ['Discount', document.discount.negated()],
    ['Shipping charge', document.shipping],
    ['Goodwill', document.adjustment],
  ] as const;
  return [
    ...lines,
    ...besides.flatMap(([description, amount]) =>
      amount.isZero()
        ? []
        : line(null, {
            ...parent,
            description,
            subTotal: text(amount),
            taxAmount: '0',
            totalAmount: text(amount),
            trackingCategoryIds: [],
          }),
    ),
  ];
}

function expectedLine(one: Line, document: TradeDocument, parent: object): UnifiedLine {
  const { net, tax, gross } = lineTotals(one, document);
  const price = document.isInclusive
    ? one.price.times(net).div(gross).toDecimalPlaces(6, Decimal.ROUND_HALF_UP)
    : one.price;
  return line(one.id, {
    ...parent,
    accountId: one.account.id,
    itemId: one.item?.id,
    taxId: one.tax?.id,
    description: one.description,
    quantity: text(one.quantity),
    unitAmount: text(gross.isZero() ? one.price : price),
    subTotal: text(net),
    taxAmount: text(tax),
    totalAmount: text(gross),
    totalDiscount: text(one.discount),
    trackingCategoryIds: one.tagId === null ? [] : [one.tagId],
  });
}

const STATUSES: Readonly<Record<string, string>> = {
  sent: 'SUBMITTED',
  viewed: 'SUBMITTED',
  open: 'SUBMITTED',
  overdue: 'SUBMITTED',
  invoiced: 'SUBMITTED',
  billed: 'SUBMITTED',
  draft: 'DRAFT',
  paid: 'PAID',
  closed: 'PAID',
  partially_paid: 'PARTIALLY_PAID',
  void: 'VOID',
  cancelled: 'VOID',
};

function expectedDocument(document: TradeDocument): UnifiedRecord {
  const { kind, linkedIds } = document;
  const { net, tax, total, open } = totalsOf(document);
  const isOrder = kind.endsWith('order');
  const isCredit = kind.endsWith('credit') || kind === 'creditnote';
  const links = {
    invoice: 'salesOrderIds',
    bill: 'purchaseOrderIds',
    creditnote: 'invoiceIds',
    vendorcredit: 'billIds',
    salesorder: 'invoiceIds',
    purchaseorder: 'billIds',
    expense: '',
  }[kind];
  const discounts = document.discount.isZero()
    ? Decimal.sum(0, ...document.lines.map(({ discount }) => discount))
    : document.discount;
  const values = {
    contactId: document.contact?.id,
    documentNumber: document.number,
    currencyId: document.currency.id,
    currencyCode: document.currency.code,
    postedDate: document.date,
    status: STATUSES[document.status],
    taxAmount: text(tax),
    totalAmount: text(total),
    [links]: linkedIds,
    updatedAt: updatedAt(document),
    ...(isCredit
      ? { remainingCredit: text(open) }
      : {
          currencyRate: text(document.currency.rate),
          subTotal: text(net),
          totalDiscount: text(discounts),
        }),
    ...(isOrder ? { description: document.notes, deliveryDate: document.dueDate } : { memo: document.notes }),
    ...(!isOrder && !isCredit && { amountDue: text(open), dueDate: document.dueDate }),
  };
  return record(document.id, values, {
    lineItems: expectedLines(document),
    ...(isOrder && { addresses: expectedPlaces(TYPES[kind], document.id, document.contact) }),
  });
}

function expectedExpense(document: TradeDocument): UnifiedRecord {
  const { net, tax, total } = totalsOf(document);
  const values = {
    contactId: document.contact?.id,
    accountId: document.paidFrom?.id,
    currencyId: document.currency.id,
    currencyCode: document.currency.code,
    currencyRate: text(document.currency.rate),
    documentNumber: document.number,
    postedDate: document.date,
    paymentMode: 'Cash',
    memo: document.notes,
    subTotal: text(net),
    taxAmount: text(tax),
    totalAmount: text(total),
    updatedAt: updatedAt(document),
  };
  return record(document.id, values, { lineItems: expectedLines(document) });
}

function expectedPayments(payment: Payment): UnifiedRecord[] {
  const word = payment.kind === 'customer' ? 'invoice' : 'bill';
  const common = {
    paymentId: payment.id,
    accountId: payment.account.id,
    contactId: payment.contact.id,
    currencyId: payment.currency.id,
    currencyCode: payment.currency.code,
    currencyRate: text(payment.currency.rate),
    paymentMode: payment.mode,
    documentNumber: payment.number,
    memo: payment.notes,
    paymentDate: payment.date,
    updatedAt: updatedAt(payment),
  };
  const parts = payment.applied.map(({ id, amount }) =>
    record(`${payment.id}:${word}:${id}`, { ...common, [`${word}Id`]: id, amount: text(amount) }),
  );
  const left = leftOf(payment);
  const isLeft = parts.length === 0 || left.greaterThan(0);
  return isLeft ? [...parts, record(payment.id, { ...common, amount: text(left) })] : parts;
}

function expectedJournal(journal: Journal): UnifiedRecord {
  const values = {
    amount: text(
      Decimal.sum(0, ...journal.lines.filter(({ side }) => side === 'debit').map((one) => one.amount)),
    ),
    currencyId: journal.currency.id,
    currencyCode: journal.currency.code,
    currencyRate: text(journal.currency.rate),
    description: journal.notes,
    documentNumber: journal.number,
    journalEntryType: 'both',
    postedDate: journal.date,
    status: journal.status === 'published' ? 'POSTED' : 'DRAFT',
    updatedAt: updatedAt(journal),
  };
  const journalLines = journal.lines.map((one) =>
    line(one.id, {
      journalEntryId: journal.id,
      accountId: one.account.id,
      contactId: one.contact?.id,
      description: one.description,
      type: one.side.toUpperCase(),
      netAmount: text(one.amount),
      taxAmount: '0',
      trackingCategoryIds: [],
    }),
  );
  return record(journal.id, values, { journalLines });
}
