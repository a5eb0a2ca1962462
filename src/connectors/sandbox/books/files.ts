import { type DocumentFiles } from '../../connector.js';

/** The content of an attachment; one that was announced and never came is a 404. */
export const booksFiles: DocumentFiles = {
  fetch: (client, { platformId }, limits) =>
    client.download(`/Attachments/${encodeURIComponent(platformId)}/content`, {
      ...limits,
      headers: { accept: '*/*' },
    }),
};
