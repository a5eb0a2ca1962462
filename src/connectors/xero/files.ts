import { type DocumentFiles } from '../connector.js';
import { type PlatformObject } from '../platform.js';
import { objectOf, textOf } from '../values/platform-values.js';
import { ATTACHMENT_PARENTS } from './listings.js';

/** Attachments are fetched below their parent record, which the stored object names. */
export const xeroFiles: DocumentFiles = {
  fetch: async (client, { platformId, rawData, fileType }, limits) => {
    const parent = parentPath(rawData);
    if (parent === null) return null;
    const type = headerValue(fileType);
    return client.download(`${parent}/Attachments/${encodeURIComponent(platformId)}`, {
      ...limits,
      // Xero's OpenAPI description has one of these headers, its guides the other.
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

/** The stored content type is only sent as a header if it is a valid MIME type. */
function headerValue(fileType: string | null): string {
  return /^[\w.+-]+\/[\w.+-]+$/.test(fileType ?? '') ? String(fileType) : 'application/octet-stream';
}
