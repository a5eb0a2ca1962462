import { invalid } from '../../errors.js';
import { type PlatformAccess } from '../platform-access.js';
import { type PassthroughClient, type PlatformClient } from '../platform.js';
import { createPlatformClient, type PlatformClientOptions } from '../client/platform-client.js';
import { classifyVendure } from './answers.js';

export const VENDURE_TITLE = 'Vendure';

/** Vendure's default address. */
const LOCAL = 'http://127.0.0.1:3000';

/** Path below the shop's address. */
export const ADMIN_API = '/admin-api';

/** The setting that holds the token of the connection's channel. */
export const CHANNEL = 'channel';

/** Selects a channel: as a query parameter, which takes precedence, or as a header. */
const CHANNEL_TOKEN = 'vendure-token';

/** The headers of a call with a key, for a given channel or the shop's default one. */
function headersOf(apiKey: string, channel?: string): Readonly<Record<string, string>> {
  return {
    accept: 'application/json',
    'vendure-api-key': apiKey,
    ...(channel === undefined ? {} : { [CHANNEL_TOKEN]: channel }),
  };
}

/** A client for one channel of a shop. */
export function createVendureClient(
  access: PlatformAccess,
  tuning: Pick<PlatformClientOptions, 'timeoutMs' | 'maxBytes' | 'sleep'> = {},
): PlatformClient {
  return createPlatformClient({
    ...tuning,
    title: VENDURE_TITLE,
    access,
    baseUrl: LOCAL,
    headers: (apiKey) => headersOf(apiKey, access.settings[CHANNEL]),
    classify: classifyVendure,
  });
}

/** Limits callers' requests to the connection's channel: the key may open others, which are accounts of other companies. */
export function createVendurePassthrough(access: PlatformAccess): PassthroughClient {
  return {
    send: async (call) => {
      if (call.query.some(([name]) => name.toLowerCase().includes(CHANNEL_TOKEN))) {
        const words = `must not hold ${CHANNEL_TOKEN}: the channel is that of the connection`;
        throw invalid(['data', 'params'], words);
      }
      return createVendureClient(access).send(call);
    },
  };
}
