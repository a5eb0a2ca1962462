import { type DocumentFiles } from '../connector.js';
import { type PlatformClient } from '../platform.js';
import { type PullOptions, type PulledPage } from '../pull.js';
import { withContext } from '../values/platform-json.js';
import { textOf } from '../values/platform-values.js';
import { transactions } from './kinds.js';
import { listPages } from './lists.js';
import { readIds } from './read.js';

export const ATTACHABLES = transactions('Attachable');

/** Signed addresses of the moment, which differ each time that an attachment is read. */
const PASSING: readonly string[] = ['TempDownloadUri', 'ThumbnailTempDownloadUri'];

/** Attachments without their addresses. */
export async function* attachablePages(
  client: PlatformClient,
  options: PullOptions,
): AsyncGenerator<PulledPage> {
  for await (const { objects, cursor } of listPages(ATTACHABLES, client, options)) {
    const lasting = objects.map((object) => {
      const passing = PASSING.filter((name) => name in object);
      return withContext(object, Object.fromEntries(passing.map((name) => [name, null])));
    });
    yield { objects: lasting, cursor };
  }
}

/** A file is fetched from the address that its attachment has now. */
export const quickbooksFiles: DocumentFiles = {
  fetch: async (client, { platformId }, limits) => {
    const [attachable] = await readIds(ATTACHABLES, client, [platformId]);
    const place = textOf(attachable?.['TempDownloadUri']);
    return place === null ? null : client.download(place, limits);
  },
};
