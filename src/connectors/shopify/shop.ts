import { invalid } from '../../errors.js';
import type { AccessField, Reach } from '../access.js';

/** The setting with the shop, as the customer typed it in. */
const SHOP = 'shop';

const NAME = '[a-z0-9][a-z0-9-]{0,59}';
const SUFFIX = '.myshopify.com';
/** A shop's name, alone or as an address: nothing else may come before the suffix, and no other host is called. */
const TYPED = new RegExp(`^${NAME}(\\.myshopify\\.com)?$`);
const DOMAIN = new RegExp(`^${NAME}\\.myshopify\\.com$`);

/** What the page asks for. */
export const shopField: AccessField = {
  name: SHOP,
  type: 'text',
  label: 'Name of the shop',
  help: 'The part before .myshopify.com, as under Settings, Domains: harbour-furniture of harbour-furniture.myshopify.com.',
  pattern: TYPED,
  expected: 'the name of a shop at Shopify, such as harbour-furniture or harbour-furniture.myshopify.com',
};

/** Whether it is a shop's own address at Shopify, without anything before or after it. */
export const isShopDomain = (text: string): boolean => DOMAIN.test(text);

/**
 * Where a shop is called: one that is connected at its own address, which is its id. Throws unless it is at Shopify, or at
 * the address that replaces the usual one.
 */
export function shopRoot(
  { baseUrl, settings }: Pick<Reach, 'baseUrl' | 'settings'>,
  externalAccountId = '',
): string {
  if (baseUrl !== null) return baseUrl.replace(/\/+$/, '');
  const shop = externalAccountId === '' ? (settings[SHOP] ?? '') : externalAccountId;
  const domain = shop.endsWith(SUFFIX) ? shop : `${shop}${SUFFIX}`;
  if (!isShopDomain(domain)) throw invalid(SHOP, 'must be the name of a shop at Shopify');
  return `https://${domain}`;
}
