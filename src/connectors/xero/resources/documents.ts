import { document } from '../../../records/index.js';
import { type PlatformClient, type PlatformObject } from '../../platform.js';
import { type PulledPage, type PullOptions, type PullResource } from '../../pull.js';
import { absentOn404 } from '../../client/platform-errors.js';
import { withContext } from '../../values/platform-json.js';
import { textOf } from '../../values/platform-values.js';
import { ATTACHMENT_PARENTS, type AttachmentParent } from '../listings.js';
import { parentOf, toDocument } from '../mappers/document.js';
import { inTurn, type Part } from '../../lists/in-turn.js';
import { objectsOf, pagedListing, SMALL_PAGE_SIZE } from '../pages.js';

const PARTS: readonly Part[] = ATTACHMENT_PARENTS.map((parent) => ({
  name: parent.listing.name,
  pages: (client, options) => attachmentPages(parent, client, options),
}));

export const documents: PullResource<typeof document> = {
  definition: document,
  mapperVersion: 1,
  incremental: true,
  // Attachments can be deleted, which only the record's list of attachments shows.
  partOf: { field: 'documentTypeId' },
  pages: (client, options) => inTurn(PARTS, client, options),
  toUnified: toDocument,
};

/** Records whose attachments are read before a pull can be resumed: each costs a call. */
const PARENTS_TOGETHER = 10;

/**
 * Xero has no list of all attachments: the records that may have some are listed, in an incremental pull only changed
 * ones, and the attachments of each are read. The cursor is the place of the page and the last record read in it, so
 * that a pull that has to pause every few calls still progresses.
 */
async function* attachmentPages(
  { listing, one }: AttachmentParent,
  client: PlatformClient,
  options: PullOptions,
): AsyncGenerator<PulledPage> {
  const [resumed = '', after] = options.cursor?.split('+', 2) ?? [];
  let place = resumed === '' ? `${SMALL_PAGE_SIZE}/1` : resumed;
  for await (const page of pagedListing(listing, client, { ...options, cursor: place }, SMALL_PAGE_SIZE)) {
    const all = page.objects.filter((object) => hasAttachments(object, listing.idName, one));
    const isResumed = place === resumed && after !== undefined;
    const asked = isResumed ? all.findIndex((object) => object[listing.idName] === after) + 1 : 0;
    const parents = all.slice(asked);
    for (let start = 0; ; start += PARENTS_TOGETHER) {
      const together = parents.slice(start, start + PARENTS_TOGETHER);
      const { objects, read } = await attachmentsOf(together, { listing, one }, client);
      // Records without files now may have had some.
      const whole =
        start === 0 && asked === 0 ? [...page.objects.filter((one) => !all.includes(one)), ...read] : read;
      const wholes = whole.flatMap((object) => textOf(object[listing.idName]) ?? []);
      const isLast = start + PARENTS_TOGETHER >= parents.length;
      const last = textOf(together.at(-1)?.[listing.idName]) ?? '';
      yield { objects, wholes, cursor: isLast ? page.cursor : `${place}+${last}` };
      if (isLast) break;
    }
    place = page.cursor ?? '';
  }
}

/** Whether to read the attachments: those of a deleted record are deleted with it. */
function hasAttachments(object: PlatformObject, idName: string, one: string): boolean {
  if (textOf(object[idName]) === null) return false;
  if (object['HasAttachments'] !== true || object['Status'] === 'DELETED') return false;
  return parentOf(contextOf(object, idName, one)) !== null;
}

/** The attachments of records, and those that were read: a draft that changed its type is no longer in this list. */
async function attachmentsOf(
  parents: readonly PlatformObject[],
  { listing, one }: AttachmentParent,
  client: PlatformClient,
): Promise<{ readonly objects: PlatformObject[]; readonly read: PlatformObject[] }> {
  const objects: PlatformObject[] = [];
  const read: PlatformObject[] = [];
  for (const parent of parents) {
    const id = textOf(parent[listing.idName]) ?? '';
    const path = `/${listing.name}/${encodeURIComponent(id)}/Attachments`;
    const answer = await client.get(path).catch(absentOn404);
    if (!answer) continue;
    const context = contextOf(parent, listing.idName, one);
    objects.push(...objectsOf(answer, 'Attachments').map((found) => withContext(found, context)));
    read.push(parent);
  }
  return { objects, read };
}

/** The parent of an attachment, in the form in which Xero's payments refer to invoices. */
function contextOf(object: PlatformObject, idName: string, one: string): PlatformObject {
  const type = textOf(object['Type']);
  return { [one]: { ...(type === null ? {} : { Type: type }), [idName]: object[idName] } };
}
