import { invalid } from '../../../errors.js';
import type { OAuthAccess } from '../../access.js';
import type { Connector } from '../../connector.js';
import { isSignedQuery } from '../../signed-query.js';
import { textOf } from '../../values/platform-values.js';
import { sandboxRoot } from '../address.js';
import { sandboxAccount } from '../oauth.js';
import { sandboxShop } from '../shop/index.js';
import { shopOptions } from '../shop/oauth.js';

const TITLE = 'SVC Sandbox Shop by Name';

/** OAuth at each shop's own address, without PKCE and with a signed callback. */
const perShopAccess: OAuthAccess = {
  kind: 'oauth',
  fields: [
    {
      name: 'shop',
      type: 'text',
      label: 'Name of the shop',
      help: 'The first part of the shop’s address, such as harbour-furniture.',
      pattern: /^[a-z0-9][a-z0-9-]{0,99}$/,
      expected: 'lower-case letters, digits and hyphens, such as harbour-furniture',
    },
  ],
  scopes: ['read', 'write'],
  scopeSeparator: ',',
  pkce: false,
  clientAuthentication: 'post',
  endpoints: ({ baseUrl, settings }) => {
    const oauth = `${sandboxRoot(baseUrl)}/ecommerce/shops/${encodeURIComponent(settings['shop'] ?? '')}/oauth`;
    return { authorize: `${oauth}/authorize`, token: `${oauth}/access_token`, revoke: null };
  },
  readCallback: (callback, { clientSecret }) => {
    if (!isSignedQuery(callback, clientSecret)) {
      throw invalid('hmac', `must be the signature of ${TITLE}`);
    }
    return { host: callback.get('host') ?? '' };
  },
  readTokenAnswer: (answer) => ({ scope: textOf(answer['scope']) ?? '' }),
  accounts: async (access) => [await sandboxAccount({ ...shopOptions, title: TITLE }, access)],
};

/** The ecommerce platform of the sandbox, connected shop by shop. */
export const sandboxPerShop: Connector = {
  ...sandboxShop,
  integrationType: 'SVC_SANDBOX_PER_SHOP',
  title: TITLE,
  access: perShopAccess,
};
