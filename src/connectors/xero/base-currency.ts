import { type PlatformClient } from '../connector.js';
import { textOf } from '../platform-values.js';
import { objectsOf } from './pages.js';

/** The currency that an organisation keeps its books in: manual journals do not name it. */
export async function readBaseCurrency(client: PlatformClient): Promise<string | null> {
  const [organisation] = objectsOf(await client.get('/Organisation'), 'Organisations');
  return textOf(organisation?.['BaseCurrency']);
}
