import { objectOf, textOf } from '../../values/platform-values.js';
import { sandboxOAuth } from '../oauth.js';
import { BOOKS_TITLE } from './client.js';

export const booksOAuth = sandboxOAuth({
  title: BOOKS_TITLE,
  platform: 'accounting',
  profile: {
    path: '/api/2/Organisation',
    headers: (accountId) => ({ 'sandbox-company': accountId }),
    read: (answer) => {
      const organisation = objectOf(answer['Organisation']);
      return {
        name: textOf(organisation?.['Title']),
        baseCurrency: textOf(organisation?.['BaseCurrency']),
      };
    },
  },
});
