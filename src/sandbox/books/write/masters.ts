import { Decimal } from 'decimal.js';
import { type CustomFieldsHolder, readCustomFields } from '../custom-fields.js';
import type { BooksObject } from '../objects.js';
import { type Money, moneyOf } from '../values.js';
import type { Bank } from '../wire/settings.js';
import { ACCOUNT_CLASSES, ADDRESS_USES, NATURES, PHONE_USES, ROLES } from '../wire/words.js';
import { isDebitClass } from './balances.js';
import { type Build, identity, numberOf, referenceOf } from './build.js';
import type { Fields } from './fields.js';
import type { References } from './references.js';

const STATES = ['open', 'closed'];
const words = (table: Readonly<Record<string, string>>): string[] => Object.values(table);

export const buildLedgerAccount: Build = async (options) => {
  const { fields, references, before } = options;
  fields.ignore('Balance');
  const { Guid, ...times } = identity(options);
  const currency = await references.currency(fields);
  if (before && (before as Held).Currency !== currency) {
    fields.invalid('Currency', 'cannot be changed: open another account');
  }
  if (fields.require('Class')) fields.oneOf('Class', words(ACCOUNT_CLASSES));
  const bank = bankOf(fields);
  const own = {
    Number: await numberOf(options, bank && 'BANK'),
    Title: fields.requiredText('Title', 200),
    Notes: fields.text('Notes', 4000),
    Class: fields.raw('Class'),
    Group: fields.text('Group', 100),
    State: fields.oneOf('State', STATES) ?? 'open',
    Currency: currency,
    Balance: before ? heldBy(before as Held, fields.raw('Class')) : moneyOf(0, currency),
    ParentNumber: await references.account(fields, 'ParentNumber'),
    Bank: bank,
    Reference: referenceOf(options),
  };
  return { Guid, ...own, ...times };
};

type Held = BooksObject & {
  readonly Class: unknown;
  readonly Currency: string;
  readonly Balance: Money;
};

/** An account's balance after a change of class: its sign flips if the two classes have different normal sides. */
const heldBy = ({ Class, Balance }: Held, accountClass: unknown): Money =>
  isDebitClass(Class) === isDebitClass(accountClass)
    ? Balance
    : moneyOf(new Decimal(Balance.Amount).negated(), Balance.Currency);

/** The bank details of a bank account. */
function bankOf(fields: Fields): Bank | null {
  const bank = fields.object('Bank');
  if (!bank) return null;
  if (fields.raw('Class') !== 'bank') fields.invalid('Bank', 'belongs to accounts of the class bank');
  const result = {
    Institution: bank.text('Institution', 200),
    AccountNumber: bank.text('AccountNumber', 100),
  };
  bank.finish();
  return result;
}

export const buildProduct: Build = async (options) => {
  const { fields, references, before } = options;
  const { Guid, ...times } = identity(options);
  const nature = fields.oneOf('Nature', words(NATURES)) ?? 'non-stocked';
  fields.ignore('OnHand');
  const counted = (before as { readonly OnHand?: string | null } | null)?.OnHand ?? '0';
  const own = {
    Sku: await numberOf(options),
    Title: fields.requiredText('Title', 200),
    Notes: fields.text('Notes', 4000),
    Nature: nature,
    State: fields.oneOf('State', STATES) ?? 'open',
    OnHand: nature === 'stocked' ? counted : null,
    Selling: await tradeSide(fields.object('Selling'), references),
    Buying: await tradeSide(fields.object('Buying'), references),
    CustomFields: readCustomFields(fields, 'Products', before as CustomFieldsHolder | null),
    Reference: referenceOf(options),
  };
  return { Guid, ...own, ...times };
};

async function tradeSide(side: Fields | null, references: References): Promise<object | null> {
  if (!side) return null;
  const price = side.require('Price') ? side.money('Price', 'AUD') : null;
  const result = {
    Price: moneyOf(price ?? 0, 'AUD'),
    AccountNumber: await references.account(side, 'AccountNumber'),
    TaxCode: await references.taxCode(side, 'TaxCode'),
    Text: side.text('Text', 4000),
  };
  side.finish();
  return result;
}

export const buildPartner: Build = async (options): Promise<BooksObject> => {
  const { fields, references, before } = options;
  const { Guid, ...times } = identity(options);
  if (fields.require('Role')) fields.oneOf('Role', words(ROLES));
  const own = {
    Role: fields.raw('Role'),
    Title: fields.requiredText('Title', 200),
    Person: fields.text('Person', 200),
    Currency: await references.currency(fields),
    TaxRegistration: fields.text('TaxRegistration', 50),
    CompanyRegistration: fields.text('CompanyRegistration', 50),
    State: fields.oneOf('State', STATES) ?? 'open',
    Addresses: addressesOf(fields),
    Phones: fields.objects('Phones').map((phone) => {
      const result = {
        Use: phone.oneOf('Use', words(PHONE_USES)) ?? 'landline',
        Number: phone.requiredText('Number', 50),
      };
      phone.finish();
      return result;
    }),
    Emails: fields.texts('Emails'),
    Websites: fields.texts('Websites'),
    CustomFields: readCustomFields(fields, 'Partners', before as CustomFieldsHolder | null),
    Reference: referenceOf(options),
  };
  return { Guid, ...own, ...times };
};

/** The addresses of a partner or an order. */
export function addressesOf(fields: Fields): object[] {
  return fields.objects('Addresses').map((address) => {
    const part = (name: string) => address.text(name, 200);
    if (address.require('Use')) address.oneOf('Use', words(ADDRESS_USES));
    const result = {
      Use: address.raw('Use'),
      Street: part('Street'),
      District: part('District'),
      Town: part('Town'),
      Region: part('Region'),
      PostCode: part('PostCode'),
      Country: part('Country'),
    };
    address.finish();
    return result;
  });
}
