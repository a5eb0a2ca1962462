import { account, currency, item, taxRate, trackingCategory } from '../../../records/index.js';
import {
  type IdPage,
  type PlatformClient,
  type PlatformObject,
  type PulledPage,
  type PullOptions,
  type PullResource,
} from '../../connector.js';
import { withContext } from '../../platform-json.js';
import { arrayOf, objectOf, textOf } from '../../values.js';
import { FULL_PRICES } from '../listings.js';
import { toAccount } from '../mappers/account.js';
import { ACCOUNTS_BY_CODE } from '../mappers/codes.js';
import { toCurrency } from '../mappers/currency.js';
import { toItem } from '../mappers/item.js';
import { toTaxRate } from '../mappers/tax-rate.js';
import { toTrackingCategory } from '../mappers/tracking-category.js';
import { wholeListing } from '../pages.js';

export const currencies: PullResource<typeof currency> = {
  definition: currency,
  mapperVersion: 1,
  incremental: false,
  pages: (client, options) => wholeListing({ name: 'Currencies', incremental: false }, client, options),
  toUnified: toCurrency,
};

export const taxRates: PullResource<typeof taxRate> = {
  definition: taxRate,
  mapperVersion: 1,
  incremental: false,
  pages: (client, options) => wholeListing({ name: 'TaxRates', incremental: false }, client, options),
  toUnified: toTaxRate,
};

export const accounts: PullResource<typeof account> = {
  definition: account,
  mapperVersion: 1,
  incremental: true,
  pages: (client, options) => wholeListing({ name: 'Accounts', incremental: true }, client, options),
  toUnified: toAccount,
};

export const trackingCategories: PullResource<typeof trackingCategory> = {
  definition: trackingCategory,
  mapperVersion: 1,
  incremental: false,
  pages: trackingPages,
  toUnified: toTrackingCategory,
};

const ITEMS = { name: 'Items', incremental: true, query: FULL_PRICES };

async function* itemIds(client: PlatformClient): AsyncGenerator<IdPage> {
  for await (const { objects } of wholeListing(ITEMS, client, { since: null, cursor: null })) {
    yield { platformIds: objects.flatMap((item) => textOf(item['ItemID']) ?? []), cursor: null };
  }
}

export const items: PullResource<typeof item> = {
  definition: item,
  mapperVersion: 1,
  incremental: true,
  lookups: [ACCOUNTS_BY_CODE],
  pages: (client, options) => wholeListing(ITEMS, client, options),
  // Items can be deleted for good, which no modification tells.
  deletions: { kind: 'sweep', pages: (client) => itemIds(client) },
  toUnified: toItem,
};

/** Each category, and behind it each of its options. */
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

/**
 * Xero leaves out of an option whose it is: that stands around it. An option without an id stays one, so that it is
 * not taken for its category.
 */
function optionsOf(category: PlatformObject): PlatformObject[] {
  const { TrackingCategoryID } = category;
  return (arrayOf(category['Options']) ?? [])
    .map(objectOf)
    .filter((option) => option !== null)
    .map((option) => {
      const { TrackingOptionID = null } = option;
      return withContext(option, { TrackingCategoryID, TrackingOptionID });
    });
}
