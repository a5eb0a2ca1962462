import { document } from '../../../records/index.js';
import {
  type PlatformClient,
  type PlatformObject,
  type PulledPage,
  type PullOptions,
  type PullResource,
} from '../../connector.js';
import { withContext } from '../../platform-json.js';
import { textOf } from '../../platform-values.js';
import { ATTACHMENT_PARENTS, type AttachmentParent } from '../listings.js';
import { parentOf, toDocument } from '../mappers/document.js';
import { inTurn, objectsOf, pagedListing, type Part } from '../pages.js';

const PARTS: readonly Part[] = ATTACHMENT_PARENTS.map((parent) => ({
  name: parent.listing.name,
  pages: (client, options) => attachmentPages(parent, client, options),
}));

export const documents: PullResource<typeof document> = {
  definition: document,
  mapperVersion: 1,
  incremental: true,
  pages: (client, options) => inTurn(PARTS, client, options),
  toUnified: toDocument,
};

/**
 * Xero has no list of all attachments: the records that may have some are listed again, those of an incremental pull
 * as far as they changed, and each that has some is asked for them. So a pull needs to remember nothing but its page.
 */
async function* attachmentPages(
  { listing, one }: AttachmentParent,
  client: PlatformClient,
  options: PullOptions,
): AsyncGenerator<PulledPage> {
  for await (const { objects, cursor } of pagedListing(listing, client, options)) {
    const attachments: PlatformObject[] = [];
    for (const object of objects) {
      const id = textOf(object[listing.idName]);
      const context = contextOf(object, listing.idName, one);
      // A deleted record's files went with it.
      if (id === null || object['HasAttachments'] !== true || object['Status'] === 'DELETED') continue;
      if (parentOf(context) === null) continue;
      const answer = await client.get(`/${listing.name}/${encodeURIComponent(id)}/Attachments`);
      attachments.push(
        ...objectsOf(answer, 'Attachments').map((attachment) => withContext(attachment, context)),
      );
    }
    yield { objects: attachments, cursor };
  }
}

/** Whose an attachment is, in the form in which Xero's payments name their invoices. */
function contextOf(object: PlatformObject, idName: string, one: string): PlatformObject {
  const type = textOf(object['Type']);
  return { [one]: { ...(type === null ? {} : { Type: type }), [idName]: object[idName] } };
}
