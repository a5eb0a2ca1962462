import { AppError, invalid } from '../../errors.js';
import { type OAuthAccess, type PlatformAccount, type Reach } from '../access.js';
import { plainAccess } from '../platform-access.js';
import { isSignedQuery } from '../signed-query.js';
import { objectOf, textOf } from '../values/platform-values.js';
import { createShopifyClient } from './client.js';
import { ask, unexpected } from './query.js';
import { isShopDomain, shopField, shopRoot } from './shop.js';

/** Somebody waits in a browser. */
const PATIENCE_MS = 5000;
const LIMITS = { timeoutMs: 15_000 } as const;

/** OAuth at the shop's own address, with a signed redirect back and tokens that expire. */
export const shopifyAccess: OAuthAccess = {
  kind: 'oauth',
  fields: [shopField],
  // Without `read_all_orders`: Shopify refuses the consent to an app that was not approved for it.
  scopes: ['read_orders', 'read_products', 'read_customers', 'read_inventory'],
  scopeSeparator: ',',
  pkce: false,
  clientAuthentication: 'post',
  tokenParameters: { expiring: '1' },
  endpoints: (reach) => {
    const oauth = `${shopRoot(reach)}/admin/oauth`;
    // Only uninstalling the app would end its tokens, for all that it does in the shop.
    return { authorize: `${oauth}/authorize`, token: `${oauth}/access_token`, revoke: null };
  },
  readCallback: (callback, { clientSecret }) => {
    if (!isSignedQuery(callback, clientSecret)) throw invalid('hmac', 'must be the signature of Shopify');
    if (!isShopDomain(callback.get('shop') ?? '')) throw invalid('shop', 'must be a shop at Shopify');
    return {};
  },
  accounts: async (access) => [await shopOf(access)],
};

/** The shop that a token opens. Its address at Shopify is its id: webhooks name it by that. */
async function shopOf({
  baseUrl,
  settings,
  dispatcher,
  accessToken,
}: Reach & { readonly accessToken: string }): Promise<PlatformAccount> {
  const access = plainAccess({
    baseUrl: baseUrl ?? undefined,
    settings,
    accessToken,
    externalAccountId: '',
    patienceMs: PATIENCE_MS,
  });
  const client = createShopifyClient({ ...access, dispatcher }, LIMITS);
  const { data } = await ask(client, '{ shop { name myshopifyDomain currencyCode } }').catch(
    (error: unknown) => {
      throw refusalOf(error);
    },
  );
  const shop = objectOf(data['shop']);
  const domain = textOf(shop?.['myshopifyDomain']);
  if (domain === null || !isShopDomain(domain)) throw unexpected('did not name the shop');
  return {
    externalAccountId: domain,
    name: textOf(shop?.['name']) ?? domain,
    baseCurrency: textOf(shop?.['currencyCode']),
  };
}

/** A token that was just issued is refused by a shop that gives no access: one that was closed or has not paid. */
function refusalOf(error: unknown): unknown {
  const isRefusal =
    error instanceof AppError && (error.code === 'connection-expired' || error.code === 'platform-refused');
  return isRefusal ? invalid('shop', `must be a shop that gives access: ${error.message}`) : error;
}
