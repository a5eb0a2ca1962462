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
import { type PlatformObject } from '../../connector.js';
import { type PushResource, writeForm } from '../../push.js';
import { textOf } from '../../platform-values.js';
import { isGuid } from '../guid.js';
import { readTracking } from '../resources/settings.js';
import { creating, xeroPush } from './resource.js';
import { bodyOf, toNumber } from './values.js';

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

/** An account of type BANK. Xero asks for its number and keeps no name of the bank. */
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

/** Xero keeps nobody who collects it. */
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

/** Xero makes the type, `TAX001`, by which lines name the rate; ours is where it is reported. */
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

/** A category below another is one of its options. Both go to Xero by themselves and not in a list. */
const trackingForm = writeForm(trackingCategories, ({ name: Name, parent_id, raw_data: extra }) => ({
  method: 'PUT',
  path:
    parent_id === undefined
      ? '/TrackingCategories'
      : `/TrackingCategories/${encodeURIComponent(parent_id)}/Options`,
  body: bodyOf(extra, { Name }),
}));

/** Xero answers an option without the category that it belongs to. */
const readOption: NonNullable<PushResource['readBack']> = async (client, written) => {
  const id = textOf(written['TrackingOptionID']);
  return id !== null && isGuid(id) ? ((await readTracking(client, id)) ?? written) : written;
};

/** What an organisation sets up: bank accounts, rates of tax, tracking categories. */
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
    }),
    readBack: readOption,
  },
];
