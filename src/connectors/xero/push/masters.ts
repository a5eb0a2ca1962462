import { z } from 'zod';

import { type WriteWarning } from '../../../errors.js';
import { fromWirePath } from '../../../base/names.js';
import { account, contact, item } from '../../../records/index.js';
import { choice, itemOf, name, reference, text } from '../../inputs/fields.js';
import { accountShape, addressShape, contactShape, itemShape } from '../../inputs/masters.js';
import { type PlatformObject } from '../../platform.js';
import { XERO_TITLE } from '../client.js';
import { bodyOf, type PushResource, type WriteForm, writeForm, type WriteTools } from '../../push.js';
import { CATEGORY_BY_TYPE } from '../mappers/account.js';
import { checked, oneText, type Wrong } from '../../inputs/checked.js';
import { toXeroAddress, toXeroPhones, writtenName } from './contact-details.js';
import { accountCode } from './references.js';
import { type Subjects } from './refusal.js';
import { creating, updating, xeroPush } from './resource.js';
import { toNumber } from '../../values/json-number.js';

type Item = Readonly<Record<string, unknown>>;

/** The type of a new account that has only a category. */
const TYPES = {
  ASSET: 'CURRENT',
  BANK: 'BANK',
  EQUITY: 'EQUITY',
  EXPENSE: 'EXPENSE',
  INCOME: 'REVENUE',
  LIABILITY: 'CURRLIAB',
} as const;

const { currency_id, raw_data } = accountShape;
const active = choice(['ACTIVE']);
const accounts = checked(
  itemOf(
    {
      platform_id: accountShape.platform_id,
      name: name(150),
      description: accountShape.description,
      nominal_code: name(10),
      category: choice(['ASSET', 'BANK', 'EQUITY', 'EXPENSE', 'INCOME', 'LIABILITY']),
      sub_category: choice(['BANK', ...Object.keys(CATEGORY_BY_TYPE)]),
      status: active,
      currency_id,
      raw_data,
    },
    ['name'],
  ),
  (given, { missing, wrong }) => {
    const { category, sub_category: type } = given;
    if (category === undefined && type === undefined)
      missing(['category'], ' unless there is a sub-category');
    const typeCategory = type === undefined || type === 'BANK' ? type : CATEGORY_BY_TYPE[type];
    if (category !== undefined && typeCategory !== undefined && typeCategory !== category) {
      wrong(['sub_category'], `must belong to the category ${category}`);
    }
    if (given.nominal_code === undefined && !isBank(given)) missing(['nominal_code'], '');
  },
);

const isBank = (given: Item): boolean => (given['sub_category'] ?? given['category']) === 'BANK';

/** Xero has no description of bank accounts, and no currency of others. */
function unwritten(given: Item): WriteWarning[] {
  const [name, owner] = isBank(given)
    ? (['description', 'bank accounts'] as const)
    : (['currency_id', 'accounts other than bank accounts'] as const);
  if (given[name] === undefined) return [];
  return [{ words: `is not written: Xero does not store it for ${owner}`, path: fromWirePath([name]) }];
}

/** Xero takes a single account, not a list. */
const accountForm: WriteForm = {
  ...writeForm(accounts, (given) => ({
    method: 'PUT',
    path: '/Accounts',
    body: bodyOf(given.raw_data, {
      Code: given.nominal_code,
      Name: given.name,
      Type: given.sub_category ?? (given.category && TYPES[given.category]),
      Description: isBank(given) ? undefined : given.description,
      CurrencyCode: isBank(given) ? given.currency_id : undefined,
    }),
  })),
  warnings: unwritten,
};

const items = {
  platform_id: itemShape.platform_id,
  name: name(50),
  description: itemShape.description,
  code: name(30),
  status: active,
  is_bill_item: itemShape.is_bill_item,
  bill_item: itemShape.bill_item,
  is_invoice_item: itemShape.is_invoice_item,
  invoice_item: itemShape.invoice_item,
  raw_data,
};

const newItems = checked(
  itemOf({ ...items, type: choice(['INVENTORY', 'NON_INVENTORY', 'SERVICE']) }, ['code']),
  (given, { missing, wrong }) => {
    sellingText(given, wrong);
    if (given.type !== 'INVENTORY') return;
    if (given.raw_data?.['InventoryAssetAccountCode'] === undefined) {
      missing(['raw_data', 'InventoryAssetAccountCode'], ': the account for inventory');
    }
    if (given.bill_item?.account_id === undefined) {
      missing(['bill_item', 'account_id'], ': the account for the cost of goods sold');
    }
  },
);
const changedItems = checked(
  itemOf({ ...items, platform_id: reference('ITEMS') }, ['platform_id']),
  (given, { wrong }) => sellingText(given, wrong),
);
type ItemFields = Omit<z.output<typeof newItems>, 'code' | 'type'> & { readonly code?: string | undefined };

function sellingText(given: ItemFields, wrong: Wrong): void {
  const texts = {
    description: given.description,
    'invoice_item.description': given.invoice_item?.description,
  };
  oneText(texts, ['description', 'invoice_item.description'], {
    title: XERO_TITLE,
    wrong: (_, words) => wrong(['invoice_item', 'description'], words),
  });
}

function itemBody(given: ItemFields, tools: WriteTools, isTracked: boolean): PlatformObject {
  return bodyOf(given.raw_data, {
    Code: given.code,
    Name: given.name,
    Description: given.description ?? given.invoice_item?.description,
    PurchaseDescription: given.bill_item?.description,
    IsSold: given.is_invoice_item,
    IsPurchased: given.is_bill_item,
    SalesDetails: detailsOf(given.invoice_item, 'AccountCode', tools),
    PurchaseDetails: detailsOf(given.bill_item, isTracked ? 'COGSAccountCode' : 'AccountCode', tools),
  });
}

function detailsOf(
  terms: ItemFields['bill_item'],
  accountName: string,
  tools: WriteTools,
): PlatformObject | undefined {
  if (!terms) return undefined;
  const details = bodyOf(undefined, {
    UnitPrice: toNumber(terms.unit_price),
    [accountName]: accountCode(terms.account_id, tools),
    TaxType: terms.tax_id,
  });
  return Object.keys(details).length === 0 ? undefined : details;
}

/** An update must repeat the code: the stored one unless the item has another. */
function changedItemBody(given: z.output<typeof changedItems>, tools: WriteTools): PlatformObject {
  const known = (field: string) => tools.references.valueOf('ITEMS', field, given.platform_id) ?? undefined;
  const code = given.code ?? known('code');
  return itemBody({ ...given, code }, tools, known('type') === 'INVENTORY');
}

const contacts = {
  platform_id: contactShape.platform_id,
  name: contactShape.name,
  contact_name: contactShape.contact_name,
  currency_id,
  tax_number: contactShape.tax_number,
  registration_number: contactShape.registration_number,
  status: choice(['ACTIVE', 'ARCHIVED']),
  email: contactShape.email,
  telephone: contactShape.telephone,
  mobile: contactShape.mobile,
  fax: contactShape.fax,
  addresses: z
    .array(itemOf({ ...addressShape, country: text(50) }), { error: 'must be a list of addresses' })
    .max(2, 'must have at most 2')
    .refine(
      (list) => new Set(list.map(({ type = 'BILLING' }) => type)).size === list.length,
      'must have at most one of each type',
    ),
  raw_data,
};
const newContacts = itemOf(contacts, ['name']);
const changedContacts = itemOf({ ...contacts, platform_id: name() }, ['platform_id']);
type ContactFields = Omit<z.output<typeof changedContacts>, 'platform_id'>;

/** Xero derives whether a contact is a customer or supplier from its documents, and accepts no website. */
function contactBody(given: ContactFields): PlatformObject {
  return bodyOf(given.raw_data, {
    Name: given.name,
    ...writtenName(given.contact_name),
    DefaultCurrency: given.currency_id,
    TaxNumber: given.tax_number,
    CompanyNumber: given.registration_number,
    ContactStatus: given.status,
    EmailAddress: given.email,
    Phones: toXeroPhones(given),
    Addresses: given.addresses?.map(toXeroAddress),
  });
}

const ITEM_SUBJECTS: Subjects = [
  [/inventory asset/i, 'raw_data.InventoryAssetAccountCode'],
  [/(?:purchase|cogs|cost of goods).*account/i, 'bill_item.account_id'],
  [/sales.*account/i, 'invoice_item.account_id'],
  [/purchase.*tax/i, 'bill_item.tax_id'],
  [/sales.*tax/i, 'invoice_item.tax_id'],
  [/purchase description/i, 'bill_item.description'],
  [/\bcode\b/i, 'code'],
  [/\bname\b/i, 'name'],
  [/description/i, 'description'],
];

/** Master records: accounts, items, contacts. */
export const masterPushes: readonly PushResource[] = [
  xeroPush({
    definition: account,
    lists: ['Accounts'],
    create: accountForm,
    subjects: [
      [/bank account number/i, 'raw_data.BankAccountNumber'],
      [/currency/i, 'currency_id'],
      [/\bcode\b/i, 'nominal_code'],
      [/\btype\b/i, 'sub_category'],
      [/description/i, 'description'],
      [/\bname\b/i, 'name'],
    ],
  }),
  xeroPush({
    definition: item,
    lists: ['Items'],
    create: creating('Items', newItems, (given, tools) => itemBody(given, tools, given.type === 'INVENTORY')),
    update: updating({ list: 'Items', idName: 'ItemID' }, changedItems, changedItemBody),
    subjects: ITEM_SUBJECTS,
    reads: [{ dataModel: 'ITEMS', field: 'type' }],
  }),
  xeroPush({
    definition: contact,
    lists: ['Contacts'],
    create: creating('Contacts', newContacts, contactBody),
    update: updating({ list: 'Contacts', idName: 'ContactID' }, changedContacts, contactBody),
    subjects: [
      [/e-?mail/i, 'email'],
      [/first ?name|last ?name/i, 'contact_name'],
      [/tax ?number/i, 'tax_number'],
      [/company ?number/i, 'registration_number'],
      [/currency/i, 'currency_id'],
      [/phone/i, 'telephone'],
      [/address|country|post(?:al)? ?code/i, 'addresses'],
      [/contact ?status|archiv/i, 'status'],
      [/\bname\b/i, 'name'],
    ],
  }),
];
