import { textOf } from '../../values/platform-values.js';
import { sandboxOAuth } from '../oauth.js';
import { PAY_TITLE } from './client.js';

export const payOAuth = sandboxOAuth({
  title: PAY_TITLE,
  platform: 'payments',
  profile: {
    path: '/v1/account',
    headers: () => ({}),
    read: (answer) => ({
      name: textOf(answer['business_name']),
      baseCurrency: textOf(answer['default_currency'])?.toUpperCase() ?? null,
    }),
  },
});
