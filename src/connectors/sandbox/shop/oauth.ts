import { objectOf, textOf } from '../../values/platform-values.js';
import { sandboxOAuth, type SandboxOAuthOptions } from '../oauth.js';
import { SHOP_TITLE } from './client.js';

/** How to find the account that a token opens. */
export const shopOptions: SandboxOAuthOptions = {
  title: SHOP_TITLE,
  platform: 'ecommerce',
  profile: {
    path: '/admin/2026-10/shop.json',
    headers: () => ({}),
    read: (answer) => {
      const shop = objectOf(answer['shop']);
      return { name: textOf(shop?.['name']), baseCurrency: textOf(shop?.['currency']) };
    },
  },
};

export const shopOAuth = sandboxOAuth(shopOptions);
