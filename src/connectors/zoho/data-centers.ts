import { invalid } from '../../errors.js';
import { type Settings } from '../access.js';

/** One of Zoho's data centers: an account is in one of them, with an API of its own. */
interface DataCenter {
  readonly label: string;
  /** Where its users sign in. */
  readonly accounts: string;
  readonly api: string;
}

/** By the end of their addresses. Tokens and data go nowhere else, whatever a redirect or an answer names. */
const DATA_CENTERS: Readonly<Record<string, DataCenter>> = {
  com: { label: 'United States (zoho.com)', accounts: 'accounts.zoho.com', api: 'www.zohoapis.com' },
  eu: { label: 'Europe (zoho.eu)', accounts: 'accounts.zoho.eu', api: 'www.zohoapis.eu' },
  in: { label: 'India (zoho.in)', accounts: 'accounts.zoho.in', api: 'www.zohoapis.in' },
  'com.au': {
    label: 'Australia (zoho.com.au)',
    accounts: 'accounts.zoho.com.au',
    api: 'www.zohoapis.com.au',
  },
  jp: { label: 'Japan (zoho.jp)', accounts: 'accounts.zoho.jp', api: 'www.zohoapis.jp' },
  ca: { label: 'Canada (zohocloud.ca)', accounts: 'accounts.zohocloud.ca', api: 'www.zohoapis.ca' },
  uk: { label: 'United Kingdom (zoho.uk)', accounts: 'accounts.zoho.uk', api: 'www.zohoapis.uk' },
  sa: { label: 'Saudi Arabia (zoho.sa)', accounts: 'accounts.zoho.sa', api: 'www.zohoapis.sa' },
  'com.cn': { label: 'China (zoho.com.cn)', accounts: 'accounts.zoho.com.cn', api: 'www.zohoapis.com.cn' },
};

/** The setting with the data center of the customer's account. */
export const DATA_CENTER = 'data_center';
/** The setting with the one that the token's API is in. */
export const API_DATA_CENTER = 'api_data_center';

export const dataCenterChoices = Object.entries(DATA_CENTERS).map(([value, { label }]) => ({ value, label }));

const FIRST = 'com';

const dataCenterOf = (name: string | undefined): DataCenter => {
  const found = DATA_CENTERS[name ?? FIRST];
  if (!found) throw invalid(DATA_CENTER, `must be one of ${Object.keys(DATA_CENTERS).join(', ')}`);
  return found;
};

/** The address at which a customer signs in, and tokens are given. */
export const accountsAddress = (settings: Settings): string =>
  `https://${dataCenterOf(settings[DATA_CENTER]).accounts}`;

/** The address of the API. */
export const apiAddress = (settings: Settings): string =>
  `https://${dataCenterOf(settings[API_DATA_CENTER] ?? settings[DATA_CENTER]).api}`;

/** The name of the data center with this address, which has come from outside; null if it is none of Zoho's. */
export function dataCenterAt(address: string, kind: 'accounts' | 'api'): string | null {
  const url = URL.canParse(address) ? new URL(address) : null;
  if (url?.href !== `https://${url?.hostname}/`) return null;
  const found = Object.entries(DATA_CENTERS).find(([, dataCenter]) => dataCenter[kind] === url.hostname);
  return found?.[0] ?? null;
}
