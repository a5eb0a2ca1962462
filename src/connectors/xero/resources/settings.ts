import {
  account,
  bankAccount,
  companyInfo,
  currency,
  item,
  taxRate,
  trackingCategory,
} from '../../../records/index.js';
import { type PlatformClient, type PlatformObject } from '../../platform.js';
import { type IdPage, type PulledPage, type PullOptions, type PullResource } from '../../pull.js';
import { absentOn404 } from '../../client/platform-errors.js';
import { withContext } from '../../values/platform-json.js';
import { objectsIn, textOf } from '../../values/platform-values.js';
import { FULL_PRICES } from '../listings.js';
import { toAccount } from '../mappers/account.js';
import { toBankAccount } from '../mappers/bank-account.js';
import { ACCOUNTS_BY_CODE } from '../mappers/codes.js';
import { toCompanyInfo } from '../mappers/company-info.js';
import { toCurrency } from '../mappers/currency.js';
import { toItem } from '../mappers/item.js';
import { toTaxRate } from '../mappers/tax-rate.js';
import { toTrackingCategory } from '../mappers/tracking-category.js';
import { isGuid } from '../guid.js';
import { objectsOf, readOne, wholeListing } from '../pages.js';

export const currencies: PullResource<typeof currency> = {
  definition: currency,
  mapperVersion: 3,
  incremental: false,
  pages: (client, options) => wholeListing({ name: 'Currencies', incremental: false }, client, options),
  toUnified: toCurrency,
};

const TAX_RATES = { name: 'TaxRates', incremental: false };

export const taxRates: PullResource<typeof taxRate> = {
  definition: taxRate,
  mapperVersion: 1,
  incremental: false,
  pages: (client, options) => wholeListing(TAX_RATES, client, options),
  read: readTaxRate,
  toUnified: toTaxRate,
};

const ACCOUNTS = { name: 'Accounts', incremental: true };

export const accounts: PullResource<typeof account> = {
  definition: account,
  mapperVersion: 1,
  incremental: true,
  pages: (client, options) => wholeListing(ACCOUNTS, client, options),
  read: readOne(ACCOUNTS),
  toUnified: toAccount,
};

/** The accounts of type BANK. */
export const bankAccounts: PullResource<typeof bankAccount> = {
  definition: bankAccount,
  mapperVersion: 1,
  incremental: true,
  pages: (client, options) => wholeListing(ACCOUNTS, client, options),
  read: readOne(ACCOUNTS, ({ Type }) => Type === 'BANK'),
  toUnified: toBankAccount,
};

/** The path is singular, but the response is a list. */
async function readOrganisations(client: PlatformClient): Promise<readonly PlatformObject[]> {
  return objectsOf(await client.get('/Organisation'), 'Organisations');
}

export const companyInfos: PullResource<typeof companyInfo> = {
  definition: companyInfo,
  mapperVersion: 1,
  incremental: false,
  async *pages(client) {
    yield { objects: await readOrganisations(client), cursor: null };
  },
  read: async (client, platformId) => {
    if (!isGuid(platformId)) return null;
    const found = await readOrganisations(client);
    return found.find(({ OrganisationID }) => OrganisationID === platformId) ?? null;
  },
  toUnified: toCompanyInfo,
};

/** A tax rate by its type, a single word. */
async function readTaxRate(client: PlatformClient, platformId: string): Promise<PlatformObject | null> {
  if (!/^\w+$/.test(platformId)) return null;
  const answer = await client.get(`/TaxRates/${platformId}`).catch(absentOn404);
  return (answer && objectsOf(answer, TAX_RATES.name)[0]) ?? null;
}

export const trackingCategories: PullResource<typeof trackingCategory> = {
  definition: trackingCategory,
  mapperVersion: 1,
  incremental: false,
  pages: trackingPages,
  read: readTracking,
  toUnified: toTrackingCategory,
};

const ITEMS = { name: 'Items', incremental: true, query: FULL_PRICES, queryOfOne: FULL_PRICES };

async function* itemIds(client: PlatformClient): AsyncGenerator<IdPage> {
  for await (const { objects } of wholeListing(ITEMS, client, { since: null, cursor: null })) {
    yield { platformIds: objects.flatMap((item) => textOf(item['ItemID']) ?? []), cursor: null };
  }
}

export const items: PullResource<typeof item> = {
  definition: item,
  mapperVersion: 1,
  incremental: true,
  // Sales change the quantity on hand, but not the item's timestamp.
  unstamped: { everyHours: 1 },
  lookups: [ACCOUNTS_BY_CODE],
  pages: (client, options) => wholeListing(ITEMS, client, options),
  read: readOne(ITEMS),
  // Items can be deleted permanently, which no change reports.
  deletions: [{ kind: 'sweep', pages: (client) => itemIds(client) }],
  toUnified: toItem,
};

/** Each category followed by its options. */
async function* trackingPages(client: PlatformClient, options: PullOptions): AsyncGenerator<PulledPage> {
  const listing = {
    name: 'TrackingCategories',
    incremental: false,
    query: { includeArchived: 'true' },
  };
  for await (const { objects, cursor } of wholeListing(listing, client, options)) {
    yield { objects: objects.flatMap((category) => [category, ...optionsOf(category)]), cursor };
  }
}

/** A category or option, found by reading all categories, of which there are few: options are only listed with them. */
export async function readTracking(
  client: PlatformClient,
  platformId: string,
): Promise<PlatformObject | null> {
  for await (const { objects } of trackingPages(client, { since: null, cursor: null })) {
    const found = objects.find((object) => toTrackingCategory(object).platformId === platformId);
    if (found) return found;
  }
  return null;
}

/**
 * The options with their category's id, which Xero omits. An option without an id keeps a null one, so that it is not
 * mistaken for its category.
 */
function optionsOf(category: PlatformObject): PlatformObject[] {
  const { TrackingCategoryID } = category;
  return objectsIn(category['Options']).map((option) => {
    const { TrackingOptionID = null } = option;
    return withContext(option, { TrackingCategoryID, TrackingOptionID });
  });
}
