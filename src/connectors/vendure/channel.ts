import { type PlatformClient, type PlatformObject } from '../platform.js';
import { type PulledPage } from '../pull.js';
import { objectOf } from '../values/platform-values.js';
import { OPEN_TO_KEYS } from './answers.js';
import { ask, unexpected } from './query.js';

/** Fields of a channel that are needed to connect it. */
export const CHANNEL_FIELDS = 'id token code defaultCurrencyCode';

/** Every shop has a default channel, which Vendure names `__default_channel__`. */
export const isDefaultChannel = (channel: PlatformObject): boolean =>
  channel['code'] === '__default_channel__';

/** A page with only the connection's channel. */
export async function* channelPage(client: PlatformClient, fields: string): AsyncGenerator<PulledPage> {
  const data = await ask(client, `{ ${OPEN_TO_KEYS} { id } activeChannel { ${fields} } }`);
  const channel = objectOf(data['activeChannel']);
  if (!channel) throw unexpected('must answer with the channel of the connection');
  yield { objects: [channel], cursor: null };
}
