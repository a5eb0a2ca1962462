import { type z } from 'zod';

import { bankAccount, taxRate, trackingCategory } from '../../../../records/index.js';
import { choice, itemOf } from '../../../inputs/fields.js';
import {
  bankAccountShape,
  rated,
  taxRateShape,
  trackingCategoryShape,
  writtenComponents,
} from '../../../inputs/settings.js';
import { type PlatformObject } from '../../../platform.js';
import { objectsIn } from '../../../values/platform-values.js';
import { listOf } from '../../../values/required-values.js';
import { bodyOf, type PushResource, writeForm, type WriteTools } from '../../../push.js';
import { BOOKS_TITLE } from '../client.js';
import { asOption } from '../mappers/tracking-category.js';
import { dimensionPages } from '../resources/settings.js';
import { booksPush, creating } from './resource.js';
import { codesTo, groupOf, wordFor } from './tools.js';
import { RECORD_STATES, TAX_SIDES } from './words.js';

const bankAccounts = itemOf(bankAccountShape, ['account_name']);

/** An account held at a bank. Books assigns its number unless `raw_data` has one. */
const bankAccountBody = (given: z.output<typeof bankAccounts>, tools: WriteTools): PlatformObject =>
  bodyOf(given.raw_data, {
    Title: given.account_name,
    Class: 'bank',
    Group: groupOf(given.category),
    Currency: codesTo(tools).currency(given.currency_id),
    Bank: bodyOf(undefined, { Institution: given.institution_name, AccountNumber: given.account_number }),
  });

const taxRates = rated(
  itemOf({ ...taxRateShape, tax_type: choice(['SALES', 'PURCHASE', 'BOTH']) }, ['name']),
);

const taxBody = (given: z.output<typeof taxRates>): PlatformObject =>
  bodyOf(given.raw_data, {
    Code: given.code,
    Title: given.name,
    AppliesTo: wordFor(TAX_SIDES)(given.tax_type),
    Parts: writtenComponents(given).map((part) =>
      bodyOf(undefined, {
        Title: part.name,
        Percentage: part.rate,
        Authority: part.tax_agency,
        Compound: part.is_compound,
      }),
    ),
  });

const OPTIONS = 'DimensionOptions';
const trackingCategories = itemOf({ ...trackingCategoryShape, status: choice(['ACTIVE', 'ARCHIVED']) }, [
  'name',
]);

/** A category with a parent is an option of a dimension, and has its own path. */
const trackingForm = writeForm(trackingCategories, (given, { marker }) => ({
  method: 'POST',
  path: given.parent_id === undefined ? '/Dimensions' : `/${OPTIONS}`,
  body: {
    ...bodyOf(given.raw_data, {
      Title: given.name,
      State: wordFor(RECORD_STATES)(given.status),
      Parent: given.parent_id,
    }),
    Reference: marker,
  },
}));

const trackingPush: PushResource = {
  ...booksPush({
    definition: trackingCategory,
    kind: 'Dimensions',
    create: trackingForm,
    update: null,
    names: { Title: 'name', Parent: 'parent_id' },
  }),
  written: (answer) => {
    const [option] = objectsIn(answer[OPTIONS]);
    if (option) return asOption(option, { Dimension: option['Dimension'] ?? null, HasOptions: false });
    return listOf(BOOKS_TITLE, answer, 'Dimensions')[0] ?? null;
  },
  // Options are only found in their dimensions, of which there are few.
  find: async (client, { marker, besides }) => {
    for await (const { objects } of dimensionPages(client, { since: null, cursor: null })) {
      const found = objects.find(
        ({ Reference, Guid, OptionGuid = Guid }) => Reference === marker && OptionGuid !== besides,
      );
      if (found) return found;
    }
    return null;
  },
};

/** A company's settings: bank accounts, tax rates, dimensions and their options. */
export const settingPushes: readonly PushResource[] = [
  booksPush({
    definition: bankAccount,
    kind: 'LedgerAccounts',
    changesAlong: () => new Map([['ACCOUNTS', null]]),
    create: creating('LedgerAccounts', bankAccounts, bankAccountBody),
    update: null,
    names: { Number: 'raw_data', Title: 'account_name', Group: 'category' },
  }),
  booksPush({
    definition: taxRate,
    kind: 'TaxCodes',
    create: creating('TaxCodes', taxRates, taxBody),
    update: null,
    names: {
      Code: 'code',
      Title: 'name',
      AppliesTo: 'tax_type',
      Parts: 'components',
      Percentage: 'rate',
      Authority: 'tax_agency',
      Compound: 'is_compound',
    },
  }),
  trackingPush,
];
