import { AppError, invalid } from '../../../errors.js';
import type { FormAccess } from '../../access.js';
import type { Connector } from '../../connector.js';
import { sandboxAccount } from '../oauth.js';
import { sandboxShop } from '../shop/index.js';
import { shopOptions } from '../shop/oauth.js';

const TITLE = 'SVC Sandbox Self-Hosted Shop';

/** The shop's own address and an API key, as for software that its owner hosts. */
const keyAccess: FormAccess = {
  kind: 'form',
  fields: [
    {
      name: 'address',
      type: 'address',
      label: 'Address of the shop',
      help: 'Where the shop runs, such as https://shop.example.com.',
    },
    {
      name: 'api_key',
      type: 'secret',
      label: 'API key',
      help: 'From the settings of the shop. It is stored encrypted.',
    },
  ],
  open: async (given) => {
    const accessToken = given.secrets['api_key'] ?? '';
    const account = await sandboxAccount({ ...shopOptions, title: TITLE }, { ...given, accessToken }).catch(
      (error: unknown) => {
        if (error instanceof AppError && error.code === 'platform-refused') {
          throw invalid('api_key', 'must be a key that this shop accepts');
        }
        throw error;
      },
    );
    const { host } = new URL(given.baseUrl ?? '');
    return {
      accounts: [{ ...account, externalAccountId: `${host} ${account.externalAccountId}` }],
      tokens: { accessToken, refreshToken: null, expiresAt: null },
      settings: {},
    };
  },
};

/** Webhooks do not say which address they are from, so they are not supported. */
const { hooks: _, ...withoutHooks } = sandboxShop;

/** The ecommerce platform of the sandbox, connected by an address and a key. */
export const sandboxSelfHosted: Connector = {
  ...withoutHooks,
  integrationType: 'SVC_SANDBOX_SELF_HOSTED',
  title: TITLE,
  access: keyAccess,
};
