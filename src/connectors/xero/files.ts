import { type DocumentFiles, type PlatformObject } from '../connector.js';
import { objectOf, textOf } from '../platform-values.js';
import { ATTACHMENT_PARENTS } from './listings.js';

/** An attachment is fetched below the record that it belongs to, which stands in the stored object. */
export const xeroFiles: DocumentFiles = {
  fetch: async (client, { platformId, rawData, fileType }, limits) => {
    const parent = parentPath(rawData);
    if (parent === null) return null;
    const type = headerValue(fileType);
    return client.download(`${parent}/Attachments/${encodeURIComponent(platformId)}`, {
      ...limits,
      // Xero's description names the one, its guides the other.
      headers: { accept: type, contenttype: type },
    });
  },
};

function parentPath(rawData: PlatformObject): string | null {
  for (const { listing, one } of ATTACHMENT_PARENTS) {
    const id = textOf(objectOf(rawData[one])?.[listing.idName]);
    if (id !== null) return `/${listing.name}/${encodeURIComponent(id)}`;
  }
  return null;
}

/** What the platform once sent goes back as a header only where it is a MIME type. */
function headerValue(fileType: string | null): string {
  return /^[\w.+-]+\/[\w.+-]+$/.test(fileType ?? '') ? String(fileType) : 'application/octet-stream';
}
