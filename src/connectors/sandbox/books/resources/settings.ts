import {
  account,
  bankAccount,
  companyInfo,
  contact,
  currency,
  item,
  project,
  taxRate,
  trackingCategory,
} from '../../../../records/index.js';
import { type PlatformClient, type PlatformObject } from '../../../platform.js';
import { type PulledPage, type PullOptions, type PullResource } from '../../../pull.js';
import { toAccount } from '../mappers/account.js';
import { toBankAccount } from '../mappers/bank-account.js';
import { ACCOUNTS_BY_NUMBER, CURRENCIES_BY_CODE, TAXES_BY_CODE } from '../mappers/codes.js';
import { toCompanyInfo } from '../mappers/company-info.js';
import { toContact } from '../mappers/contact.js';
import { toCurrency } from '../mappers/currency.js';
import { toItem } from '../mappers/item.js';
import { toProject } from '../mappers/project.js';
import { toTaxRate } from '../mappers/tax-rate.js';
import { toTrackingCategory, withOptions } from '../mappers/tracking-category.js';
import { kindPages, readsOf, sweepOf } from '../pages.js';
import { customFields } from './custom-fields.js';

export const currencies: PullResource<typeof currency> = {
  definition: currency,
  mapperVersion: 1,
  incremental: true,
  ...readsOf('Currencies'),
  toUnified: toCurrency,
};

export const taxRates: PullResource<typeof taxRate> = {
  definition: taxRate,
  mapperVersion: 1,
  incremental: true,
  ...readsOf('TaxCodes'),
  toUnified: toTaxRate,
};

export const accounts: PullResource<typeof account> = {
  definition: account,
  mapperVersion: 2,
  incremental: true,
  // Accounts are included: an account names its parent.
  lookups: [CURRENCIES_BY_CODE, ACCOUNTS_BY_NUMBER],
  deletions: sweepOf('LedgerAccounts'),
  ...readsOf('LedgerAccounts'),
  toUnified: toAccount,
};

/** The accounts held at a bank. */
export const bankAccounts: PullResource<typeof bankAccount> = {
  definition: bankAccount,
  mapperVersion: 1,
  incremental: true,
  lookups: [CURRENCIES_BY_CODE],
  deletions: sweepOf('LedgerAccounts'),
  ...readsOf('LedgerAccounts'),
  toUnified: toBankAccount,
};

export const companyInfos: PullResource<typeof companyInfo> = {
  definition: companyInfo,
  mapperVersion: 1,
  incremental: true,
  ...readsOf('CompanyDetails'),
  toUnified: toCompanyInfo,
};

export const projects: PullResource<typeof project> = {
  definition: project,
  mapperVersion: 1,
  incremental: true,
  ...readsOf('Projects'),
  toUnified: toProject,
};

export const trackingCategories: PullResource<typeof trackingCategory> = {
  definition: trackingCategory,
  mapperVersion: 1,
  incremental: true,
  pages: dimensionPages,
  read: readCategory,
  toUnified: toTrackingCategory,
};

/** A dimension or an option, found by reading all dimensions, of which there are few. */
async function readCategory(client: PlatformClient, platformId: string): Promise<PlatformObject | null> {
  for await (const { objects } of dimensionPages(client, { since: null, cursor: null })) {
    const found = objects.find(({ Guid, OptionGuid = Guid }) => OptionGuid === platformId);
    if (found) return found;
  }
  return null;
}

/** Changing an option changes its dimension, so a changed dimension comes with all its options. */
export async function* dimensionPages(
  client: PlatformClient,
  options: PullOptions,
): AsyncGenerator<PulledPage> {
  for await (const { objects, cursor } of kindPages('Dimensions', client, options)) {
    yield { objects: objects.flatMap(withOptions), cursor };
  }
}

export const items: PullResource<typeof item> = {
  definition: item,
  customFields,
  mapperVersion: 1,
  incremental: true,
  lookups: [ACCOUNTS_BY_NUMBER, TAXES_BY_CODE],
  deletions: sweepOf('Products'),
  ...readsOf('Products'),
  toUnified: toItem,
};

export const contacts: PullResource<typeof contact> = {
  definition: contact,
  customFields,
  mapperVersion: 1,
  incremental: true,
  lookups: [CURRENCIES_BY_CODE],
  deletions: sweepOf('Partners'),
  ...readsOf('Partners'),
  toUnified: toContact,
};
