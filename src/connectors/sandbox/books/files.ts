import { type DocumentFiles } from '../../connector.js';

/** The content of an attachment; 404 for one that was announced but never uploaded. */
export const booksFiles: DocumentFiles = {
  fetch: (client, { platformId }, limits) =>
    client.download(`/Attachments/${encodeURIComponent(platformId)}/content`, {
      ...limits,
      headers: { accept: '*/*' },
    }),
};
