import { document } from '../../../records/index.js';
import {
  type PlatformClient,
  type PlatformObject,
  type PulledPage,
  type PullOptions,
  type PullResource,
} from '../../connector.js';
import { withContext } from '../../platform-json.js';
import { textOf } from '../../values.js';
import { CREDIT_NOTES, INVOICES, MANUAL_JOURNALS, PURCHASE_ORDERS } from '../listings.js';
import { parentOf, toDocument } from '../mappers/document.js';
import { inTurn, objectsOf, pagedListing, type PagedListing, type Part } from '../pages.js';

interface Parent {
  readonly listing: PagedListing;
  /** One of them, as Xero's other objects name it. */
  readonly one: string;
}

/** Only what we have a document type for: Xero also keeps files at contacts, accounts and bank transactions. */
const PARENTS: readonly Parent[] = [
  { listing: INVOICES, one: 'Invoice' },
  { listing: CREDIT_NOTES, one: 'CreditNote' },
  { listing: PURCHASE_ORDERS, one: 'PurchaseOrder' },
  { listing: MANUAL_JOURNALS, one: 'ManualJournal' },
];

const PARTS: readonly Part[] = PARENTS.map((parent) => ({
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
  { listing, one }: Parent,
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
