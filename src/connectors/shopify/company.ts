import { type PlatformClient } from '../platform.js';
import { type PulledPage } from '../pull.js';
import { objectOf } from '../values/platform-values.js';
import { SHOP_FIELDS } from './mappers/company-info.js';
import { ask, unexpected } from './query.js';

/** A page with only the shop. */
export async function* shopPage(client: PlatformClient): AsyncGenerator<PulledPage> {
  const { data } = await ask(client, `{ shop { ${SHOP_FIELDS} } }`);
  const shop = objectOf(data['shop']);
  if (!shop) throw unexpected('must answer with the shop');
  yield { objects: [shop], cursor: null };
}
