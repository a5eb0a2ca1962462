import { type z } from 'zod';

import { account, contact, item } from '../../../../records/index.js';
import { checked } from '../../../inputs/checked.js';
import { choice, itemOf, name } from '../../../inputs/fields.js';
import { accountShape, contactShape, itemShape } from '../../../inputs/masters.js';
import { type PlatformObject } from '../../../platform.js';
import { objectOf } from '../../../values/platform-values.js';
import { bodyOf, type PushResource, type WriteForm, type WriteTools } from '../../../push.js';
import { readKind } from '../pages.js';
import { toBooksLinks, toBooksPhones } from './contact-lists.js';
import { booksPush, creating, unlessChanged, updating } from './resource.js';
import { codesTo, groupOf, toBooksCustomFields, wordFor } from './tools.js';
import { ACCOUNT_CLASSES, ADDRESS_USES, ITEM_NATURES, RECORD_STATES, ROLES } from './words.js';

const stateOf = wordFor(RECORD_STATES);
const status = choice(['ACTIVE', 'ARCHIVED']);

const accounts = { ...accountShape, status, nominal_code: name(50) };
type AccountItem = z.output<ReturnType<typeof itemOf<typeof accounts, never>>>;

function accountBody(given: AccountItem, tools: WriteTools): PlatformObject {
  const codes = codesTo(tools);
  return bodyOf(given.raw_data, {
    Number: given.nominal_code,
    Title: given.name,
    Notes: given.description,
    Class: wordFor(ACCOUNT_CLASSES)(given.category),
    Group: groupOf(given.sub_category),
    State: stateOf(given.status),
    Currency: codes.currency(given.currency_id),
    ParentNumber: codes.account(given.parent_account_id),
  });
}

const items = {
  ...itemShape,
  status,
  code: name(50),
  type: choice(['INVENTORY', 'NON_INVENTORY', 'SERVICE']),
};
type ItemItem = z.output<ReturnType<typeof itemOf<typeof items, never>>>;

function itemBody(given: ItemItem, tools: WriteTools): PlatformObject {
  return bodyOf(given.raw_data, {
    Sku: given.code,
    Title: given.name,
    Notes: given.description,
    Nature: wordFor(ITEM_NATURES)(given.type),
    State: stateOf(given.status),
    Selling: given.is_invoice_item === false ? null : termsOf('Selling', given.invoice_item, tools),
    Buying: given.is_bill_item === false ? null : termsOf('Buying', given.bill_item, tools),
    CustomFields: toBooksCustomFields(given.custom_fields),
  });
}

const newItemBody = (given: ItemItem, tools: WriteTools): PlatformObject =>
  itemBody(given, { ...tools, current: {} });

/** Only stocked goods have a quantity; zero is accepted for any type. */
const counted = <Input extends z.ZodObject>(input: Input, otherwise?: 'NON_INVENTORY'): Input =>
  checked(input, (given, { wrong }) => {
    const { type = otherwise, quantity_on_hand: quantity, raw_data: own } = given as Partial<ItemItem>;
    const isKept = type === undefined || type === 'INVENTORY' || own?.['Nature'] !== undefined;
    if (!isKept && !isNone(quantity)) wrong(['quantity_on_hand'], 'is only for items of type INVENTORY');
  });

const isNone = (quantity: unknown): boolean => quantity === undefined || Number(quantity) === 0;

/** Books sets the quantity by a stock count, not with the product itself. */
const countOf: NonNullable<WriteForm['follow']> = ({ quantity_on_hand: Counted }, { Guid, Nature }) =>
  Counted === undefined || (Nature !== 'stocked' && isNone(Counted))
    ? []
    : [
        {
          method: 'POST',
          path: `/Products/${encodeURIComponent(String(Guid))}/StockCount`,
          encoding: 'form',
          body: { Counted },
        },
      ];

/** Reads the product after a count, whose response is empty. */
const readCounted: NonNullable<PushResource['readBack']> = async (client, product) =>
  (await readKind('Products')(client, String(product['Guid']))) ?? product;

/**
 * Books replaces the whole side of a product and requires its price, so missing terms are filled in from the current
 * object. A plan of a change, where that is unknown, has the given ones alone.
 */
function termsOf(
  side: 'Selling' | 'Buying',
  terms: ItemItem['bill_item'],
  tools: WriteTools,
): PlatformObject | undefined {
  if (!terms) return undefined;
  const codes = codesTo(tools);
  const current = tools.current ? (objectOf(tools.current[side]) ?? { Price: '0' }) : undefined;
  return bodyOf(current, {
    Price: terms.unit_price,
    AccountNumber: codes.account(terms.account_id),
    TaxCode: codes.tax(terms.tax_id),
    Text: terms.description,
  });
}

const contacts = { ...contactShape, status };
type ContactItem = z.output<ReturnType<typeof itemOf<typeof contacts, never>>>;

function contactBody(given: ContactItem, tools: WriteTools): PlatformObject {
  const { current } = tools;
  return bodyOf(given.raw_data, {
    Role: wordFor(ROLES)(given.contact_type),
    Title: given.name,
    Person: given.contact_name,
    Currency: codesTo(tools).currency(given.currency_id),
    TaxRegistration: given.tax_number,
    CompanyRegistration: given.registration_number,
    State: stateOf(given.status),
    Phones: toBooksPhones(given, current),
    Emails: toBooksLinks(given.email, current?.['Emails']),
    Websites: toBooksLinks(given.website, current?.['Websites']),
    CustomFields: toBooksCustomFields(given.custom_fields),
    Addresses: given.addresses?.map((address) =>
      bodyOf(undefined, {
        Use: ADDRESS_USES[address.type ?? 'BILLING'],
        Street: address.street,
        District: address.locality,
        Town: address.city,
        Region: address.state,
        PostCode: address.pincode,
        Country: address.country,
      }),
    ),
  });
}

/** Master records: accounts, products and services, customers and suppliers. */
export const masterPushes: readonly PushResource[] = [
  booksPush({
    definition: account,
    kind: 'LedgerAccounts',
    create: creating('LedgerAccounts', itemOf(accounts, ['name', 'nominal_code', 'category']), accountBody),
    update: null,
    names: {
      Number: 'nominal_code',
      Title: 'name',
      Notes: 'description',
      Class: 'category',
      Group: 'sub_category',
      ParentNumber: 'parent_account_id',
    },
  }),
  booksPush({
    definition: item,
    kind: 'Products',
    create: {
      ...creating('Products', counted(itemOf(items, ['name', 'code']), 'NON_INVENTORY'), newItemBody),
      follow: countOf,
    },
    update: {
      ...unlessChanged(updating('Products', counted(itemOf(items, ['platform_id'])), itemBody)),
      follow: countOf,
    },
    readBack: readCounted,
    names: {
      Sku: 'code',
      Title: 'name',
      Notes: 'description',
      Nature: 'type',
      OnHand: 'quantity_on_hand',
      Selling: 'invoice_item',
      Buying: 'bill_item',
      Price: 'unit_price',
      Text: 'description',
    },
  }),
  booksPush({
    definition: contact,
    kind: 'Partners',
    create: creating('Partners', itemOf(contacts, ['name', 'contact_type']), contactBody),
    update: unlessChanged(updating('Partners', itemOf(contacts, ['platform_id']), contactBody)),
    names: {
      Role: 'contact_type',
      Title: 'name',
      Person: 'contact_name',
      TaxRegistration: 'tax_number',
      CompanyRegistration: 'registration_number',
      Emails: 'email',
      Websites: 'website',
      Phones: 'telephone',
    },
  }),
];
