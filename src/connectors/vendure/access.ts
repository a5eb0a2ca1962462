import { AppError, invalid } from '../../errors.js';
import { type FormAccess, type Opened, type PlatformAccount } from '../access.js';
import { plainAccess } from '../platform-access.js';
import { type PlatformClient } from '../platform.js';
import { arrayOf, objectOf, textOf } from '../values/platform-values.js';
import { OPEN_TO_KEYS } from './answers.js';
import { CHANNEL_FIELDS, isDefaultChannel } from './channel.js';
import { CHANNEL, createVendureClient } from './client.js';
import { ask, unexpected } from './query.js';

/** Somebody waits in a browser. */
const PATIENCE_MS = 5000;
/** Anybody with a link may type in an address. */
const LIMITS = { timeoutMs: 15_000, maxBytes: 1024 * 1024 } as const;

/** The shop's address and an API key; each channel that the key opens is an account. */
export const vendureAccess: FormAccess = {
  kind: 'form',
  fields: [
    {
      name: 'address',
      type: 'address',
      label: 'Address of the shop',
      help: 'Where the Vendure server runs, without /admin-api, such as https://shop.example.com.',
    },
    {
      name: 'api_key',
      type: 'secret',
      label: 'API key',
      help: 'Created under Settings, API keys, in the shop, with a role that may read orders, customers and the catalog, and create customers and products if they are to be written. It is stored encrypted.',
    },
  ],
  open: async ({ baseUrl, dispatcher, secrets }): Promise<Opened> => {
    const accessToken = secrets['api_key'] ?? '';
    const reach = {
      ...plainAccess({
        baseUrl: baseUrl ?? undefined,
        accessToken,
        externalAccountId: '',
        patienceMs: PATIENCE_MS,
      }),
      dispatcher,
    };
    const channels = await channelsOf(createVendureClient(reach, LIMITS));
    const { host } = new URL(baseUrl ?? '');
    const accounts = channels.map((channel) => accountOf(host, channel));
    if (accounts.length === 0) throw invalid('api_key', 'must open a channel of the shop');
    return { accounts, tokens: { accessToken, refreshToken: null, expiresAt: null }, settings: {} };
  },
};

/** All channels if the key may list them, otherwise its active one. */
async function channelsOf(client: PlatformClient): Promise<readonly unknown[]> {
  const query = (fields: string) => `{ ${OPEN_TO_KEYS} { id } ${fields} }`;
  try {
    const data = await ask(client, query(`channels { items { ${CHANNEL_FIELDS} } }`));
    return arrayOf(objectOf(data['channels'])?.['items']) ?? [];
  } catch (error) {
    if (error instanceof AppError && error.code === 'connection-expired') {
      throw invalid('api_key', 'must be a key that this shop accepts');
    }
    if (!(error instanceof AppError) || error.code !== 'platform-refused') throw error;
  }
  const data = await ask(client, query(`activeChannel { ${CHANNEL_FIELDS} }`));
  return [data['activeChannel']];
}

function accountOf(host: string, listed: unknown): PlatformAccount {
  const channel = objectOf(listed) ?? {};
  const token = textOf(channel['token']);
  if (token === null) throw unexpected('sent a channel without a token');
  const code = textOf(channel['code']);
  return {
    externalAccountId: `${host} ${token}`,
    name: code === null || isDefaultChannel(channel) ? host : `${host}, ${code}`,
    baseCurrency: textOf(channel['defaultCurrencyCode']),
    settings: { [CHANNEL]: token },
  };
}
