import { objectOf, textOf } from '../../platform-values.js';
import { sandboxOAuth } from '../oauth.js';
import { SHOP_TITLE } from './client.js';

export const shopOAuth = sandboxOAuth({
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
});
