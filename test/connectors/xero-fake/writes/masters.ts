import { type Account, type Contact, type Item, type ItemPrice, type PostalAddress } from '../domain.js';
import { currencyOf } from './find.js';
import { type Body, flagIn, listIn, numberIn, objectIn, textIn } from './input.js';
import { type Write } from './write.js';

const CLASSES: Readonly<Record<string, string>> = {
  BANK: 'ASSET',
  CURRENT: 'ASSET',
  FIXED: 'ASSET',
  CURRLIAB: 'LIABILITY',
  TERMLIAB: 'LIABILITY',
  EQUITY: 'EQUITY',
  EXPENSE: 'EXPENSE',
  OVERHEADS: 'EXPENSE',
  REVENUE: 'REVENUE',
  OTHERINCOME: 'REVENUE',
};

export function createAccount({ organisation, body, complaints, kept }: Write): Account | null {
  const name = textIn(body, 'Name');
  const code = textIn(body, 'Code');
  const type = textIn(body, 'Type');
  const number = textIn(body, 'BankAccountNumber');
  const living = organisation.accounts.filter(({ status }) => status !== 'DELETED');
  if (name === undefined) complaints.add('Name is required');
  if (type === undefined) complaints.add('Type is required');
  if (living.some((account) => account.name === name)) complaints.add('Please enter a unique Name.');
  if (code !== undefined && living.some((account) => account.code === code)) {
    complaints.add('Please enter a unique Code.');
  }
  if (type === 'BANK' && number === undefined) {
    complaints.add('A bank account number must be specified for a bank account');
  }
  const currency = currencyOf(organisation, body, complaints) ?? null;
  if (!complaints.isEmpty || name === undefined || type === undefined) return null;
  const account: Account = {
    ...kept('ACTIVE'),
    name,
    code: code ?? null,
    description: textIn(body, 'Description') ?? null,
    type,
    accountClass: CLASSES[type] ?? 'EXPENSE',
    currency,
    ...(number !== undefined && { bank: { number, type: textIn(body, 'BankAccountType') ?? 'BANK' } }),
  };
  organisation.accounts.push(account);
  return account;
}

export function createItem(write: Write): Item | null {
  const { organisation, body, complaints, kept } = write;
  const item: Item = {
    ...kept('ACTIVE'),
    code: '',
    name: '',
    description: null,
    purchaseDescription: null,
    sale: NO_PRICE,
    purchase: NO_PRICE,
    inStock: textIn(body, 'InventoryAssetAccountCode') === undefined ? null : 0,
  };
  const changed = itemOf(write, item);
  if (!complaints.isEmpty) return null;
  organisation.items.push(changed);
  return changed;
}

export function updateItem(write: Write, item: Item): Item | null {
  const changed = itemOf(write, item);
  if (!write.complaints.isEmpty) return null;
  return Object.assign(item, changed, { updatedAt: write.kept('').updatedAt });
}

const NO_PRICE: ItemPrice = { unitPrice: null, account: null, taxRate: null };

function itemOf(write: Write, item: Item): Item {
  const { organisation, body, complaints } = write;
  const code = textIn(body, 'Code');
  if (code === undefined) complaints.add('The Code field is required');
  if (organisation.items.some((one) => one.code === code && one.id !== item.id)) {
    complaints.add(`Price List Item with Code '${code}' already exists`);
  }
  const isSold = flagIn(body, 'IsSold');
  const isPurchased = flagIn(body, 'IsPurchased');
  return {
    ...item,
    code: code ?? item.code,
    name: textIn(body, 'Name') ?? item.name,
    description: textIn(body, 'Description') ?? item.description,
    purchaseDescription: textIn(body, 'PurchaseDescription') ?? item.purchaseDescription,
    sale: isSold === false ? null : priceOf(write, 'SalesDetails', item.sale),
    purchase: isPurchased === false ? null : priceOf(write, 'PurchaseDetails', item.purchase),
  };
}

function priceOf(
  { organisation, body, complaints, priceDigits }: Write,
  name: string,
  before: ItemPrice | null,
) {
  const details = objectIn(body, name);
  if (!details) return before;
  const price = before ?? NO_PRICE;
  const code = textIn(details, 'AccountCode') ?? textIn(details, 'COGSAccountCode');
  const account = organisation.accounts.find(
    (one) => code !== undefined && one.code === code && one.status === 'ACTIVE',
  );
  const type = textIn(details, 'TaxType');
  const taxRate = organisation.taxRates.find(({ id }) => id === type);
  const side = name === 'SalesDetails' ? 'Sales' : 'Purchase';
  if (code !== undefined && !account) complaints.add(`${side} account code '${code}' is not a valid account`);
  if (type !== undefined && !taxRate) complaints.add(`${side} tax type '${type}' does not exist`);
  return {
    unitPrice: numberIn(details, 'UnitPrice')?.toDecimalPlaces(priceDigits) ?? price.unitPrice,
    account: account ?? price.account,
    taxRate: taxRate ?? price.taxRate,
  };
}

export function createContact(write: Write): Contact | null {
  const { organisation, body, complaints, kept } = write;
  if (textIn(body, 'Name') === undefined) complaints.add('The contact name must be specified');
  const contact: Contact = {
    ...kept('ACTIVE'),
    name: '',
    firstName: null,
    lastName: null,
    email: null,
    website: null,
    taxNumber: null,
    companyNumber: null,
    currency: null,
    isCustomer: false,
    isSupplier: false,
    phone: null,
    mobile: null,
    postal: null,
  };
  const changed = contactOf(write, contact);
  if (!complaints.isEmpty) return null;
  organisation.contacts.push(changed);
  return changed;
}

export function updateContact(write: Write, contact: Contact): Contact | null {
  const changed = contactOf(write, contact);
  if (!write.complaints.isEmpty) return null;
  return Object.assign(contact, changed, { updatedAt: write.kept('').updatedAt });
}

function contactOf({ organisation, body, complaints }: Write, contact: Contact): Contact {
  const name = textIn(body, 'Name') ?? contact.name;
  if (organisation.contacts.some((one) => one.name === name && one.id !== contact.id)) {
    complaints.add(
      `The contact name ${name} is already assigned to another contact. The contact name must be unique across all active contacts.`,
    );
  }
  const email = textIn(body, 'EmailAddress');
  if (email !== undefined && !/^\S+@\S+$/.test(email)) complaints.add('Email address must be valid.');
  const text = (field: string, before: string | null) => textIn(body, field) ?? before;
  const empty = (value: string | null) => (value === '' ? null : value);
  const phone = (type: string) => listIn(body, 'Phones')?.find(({ PhoneType }) => PhoneType === type);
  const whole = (type: string, before: string | null) => phone(type)?.['PhoneNumber']?.toString() ?? before;
  const fixed = phone('DEFAULT');
  const part = (field: string) => (fixed ? (textIn(fixed, field) ?? '') : '');
  return {
    ...contact,
    name,
    status: text('ContactStatus', contact.status) ?? 'ACTIVE',
    firstName: empty(text('FirstName', contact.firstName)),
    lastName: empty(text('LastName', contact.lastName)),
    email: empty(email ?? contact.email),
    taxNumber: text('TaxNumber', contact.taxNumber),
    companyNumber: text('CompanyNumber', contact.companyNumber),
    currency: currencyOf(organisation, body, complaints, 'DefaultCurrency') ?? contact.currency,
    phone: fixed ? [part('PhoneCountryCode'), part('PhoneAreaCode'), part('PhoneNumber')] : contact.phone,
    mobile: whole('MOBILE', contact.mobile),
    fax: whole('FAX', contact.fax ?? null),
    postal: placeOf(body, 'POBOX') ?? contact.postal,
    street: placeOf(body, 'STREET') ?? contact.street ?? null,
  };
}

function placeOf(body: Body, type: string): PostalAddress | undefined {
  const place = listIn(body, 'Addresses')?.find(({ AddressType }) => AddressType === type);
  if (!place) return undefined;
  const part = (name: string) => textIn(place, name) ?? '';
  return {
    lines: [part('AddressLine1'), part('AddressLine2')],
    city: part('City'),
    region: part('Region'),
    postalCode: part('PostalCode'),
    country: part('Country'),
  };
}
