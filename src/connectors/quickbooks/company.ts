import { type PlatformClient, type PlatformObject } from '../platform.js';
import { type PulledPage } from '../pull.js';
import { objectOf, textOf } from '../values/platform-values.js';
import { listOfNames } from './kinds.js';
import { allOf } from './numbered.js';
import { ask } from './query.js';

/** The company's settings about currencies. */
async function currencySettings(client: PlatformClient): Promise<PlatformObject> {
  const [preferences] = await ask(client, 'Preferences');
  return objectOf(preferences?.['CurrencyPrefs']) ?? {};
}

const homeOf = (settings: PlatformObject): string | null =>
  textOf(objectOf(settings['HomeCurrency'])?.['value']);

/** The home currency. */
export const readBaseCurrency = async (client: PlatformClient): Promise<string | null> =>
  homeOf(await currencySettings(client));

/** The home currency and, for a company with several, those that it has added. */
export async function* currencyPages(client: PlatformClient): AsyncGenerator<PulledPage> {
  const settings = await currencySettings(client);
  const hasSeveral = settings['MultiCurrencyEnabled'] === true;
  const added = hasSeveral ? await allOf(listOfNames('CompanyCurrency'), client) : [];
  const home = homeOf(settings);
  const isListed = home === null || added.some(({ Code }) => Code === home);
  yield { objects: isListed ? added : [{ Code: home }, ...added], cursor: null };
}

/** The company itself. */
export async function* companyPages(client: PlatformClient): AsyncGenerator<PulledPage> {
  yield { objects: await ask(client, 'CompanyInfo'), cursor: null };
}
