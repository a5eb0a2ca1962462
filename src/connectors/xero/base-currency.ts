import { type PlatformClient } from '../platform.js';
import { textOf } from '../values/platform-values.js';
import { objectsOf } from './pages.js';

/** The organisation's base currency, which manual journals do not name. */
export async function readBaseCurrency(client: PlatformClient): Promise<string | null> {
  const [organisation] = objectsOf(await client.get('/Organisation'), 'Organisations');
  return textOf(organisation?.['BaseCurrency']);
}
