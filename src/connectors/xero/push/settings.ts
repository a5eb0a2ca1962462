import { type z } from 'zod';

import { bankAccount, taxRate, trackingCategory } from '../../../records/index.js';
import { choice, itemOf, name } from '../../inputs/fields.js';
import {
  bankAccountShape,
  componentsOf,
  rated,
  taxComponentShape,
  taxRateShape,
  trackingCategoryShape,
  writtenComponents,
} from '../../inputs/settings.js';
import { type PlatformObject } from '../../platform.js';
import { bodyOf, type PushResource, writeForm } from '../../push.js';
import { textOf } from '../../values/platform-values.js';
import { isGuid } from '../guid.js';
import { readTracking } from '../resources/settings.js';
import { creating, xeroPush } from './resource.js';
import { toNumber } from '../../values/json-number.js';

const { platform_id, account_number, currency_id, raw_data } = bankAccountShape;
const bankAccounts = itemOf(
  {
    platform_id,
    account_name: name(150),
    account_number,
    currency_id,
    category: choice(['BANK', 'CREDITCARD', 'PAYPAL']),
    raw_data,
  },
  ['account_name', 'account_number'],
);

/** An account of type BANK. Xero requires its number and does not store the bank's name. */
const bankAccountForm = writeForm(bankAccounts, (given) => ({
  method: 'PUT',
  path: '/Accounts',
  body: bodyOf(given.raw_data, {
    Name: given.account_name,
    Type: 'BANK',
    BankAccountNumber: given.account_number,
    BankAccountType: given.category,
    CurrencyCode: given.currency_id,
  }),
}));

/** Xero does not store the tax agency. */
const { tax_agency: _agency, ...component } = taxComponentShape;
const taxRates = rated(
  itemOf(
    {
      platform_id,
      name: name(50),
      tax_type: taxRateShape.tax_type,
      total_tax_rate: taxRateShape.total_tax_rate,
      components: componentsOf(itemOf(component, ['name', 'rate'])),
      raw_data,
    },
    ['name'],
  ),
);

/** Xero assigns the type by which lines refer to the rate, such as `TAX001`; our tax type is its report type. */
const taxBody = (given: z.output<typeof taxRates>): PlatformObject =>
  bodyOf(given.raw_data, {
    Name: given.name,
    ReportTaxType: given.tax_type,
    TaxComponents: writtenComponents(given).map((part) =>
      bodyOf(undefined, { Name: part.name, Rate: toNumber(part.rate), IsCompound: part.is_compound }),
    ),
  });

const trackingCategories = itemOf({ ...trackingCategoryShape, name: name(100), status: choice(['ACTIVE']) }, [
  'name',
]);

/** A category with a parent is an option of it. Xero takes both singly, not in a list. */
const trackingForm = writeForm(trackingCategories, ({ name: Name, parent_id, raw_data: extra }) => ({
  method: 'PUT',
  path:
    parent_id === undefined
      ? '/TrackingCategories'
      : `/TrackingCategories/${encodeURIComponent(parent_id)}/Options`,
  body: bodyOf(extra, { Name }),
}));

/** Xero's response to a new option lacks its category. */
const readOption: NonNullable<PushResource['readBack']> = async (client, written) => {
  const id = textOf(written['TrackingOptionID']);
  return id !== null && isGuid(id) ? ((await readTracking(client, id)) ?? written) : written;
};

/** An organisation's settings: bank accounts, tax rates, tracking categories. */
export const settingPushes: readonly PushResource[] = [
  xeroPush({
    definition: bankAccount,
    lists: ['Accounts'],
    changesAlong: () => new Map([['ACCOUNTS', null]]),
    create: bankAccountForm,
    subjects: [
      [/bank account number/i, 'account_number'],
      [/bank account type/i, 'category'],
      [/currency/i, 'currency_id'],
      [/\bcode\b/i, 'raw_data.Code'],
      [/\bname\b/i, 'account_name'],
    ],
  }),
  xeroPush({
    definition: taxRate,
    lists: ['TaxRates'],
    create: creating('TaxRates', taxRates, taxBody),
    subjects: [
      [/component|compound/i, 'components'],
      [/tax ?type/i, 'tax_type'],
      [/\bname\b/i, 'name'],
      [/\brate\b/i, 'components'],
    ],
  }),
  {
    ...xeroPush({
      definition: trackingCategory,
      lists: ['TrackingCategories', 'Options'],
      create: trackingForm,
      subjects: [[/name/i, 'name']],
      idInPath: 'parent_id',
    }),
    readBack: readOption,
  },
];
