import { document } from '../../../../records/index.js';
import { choice, itemOf } from '../../../inputs/fields.js';
import { BYTES_TYPE, documentNames, documentShape } from '../../../inputs/files.js';
import { type PushResource, writeForm } from '../../../push.js';
import { ATTACHED_KINDS } from '../mappers/document.js';
import { booksPush } from './resource.js';

const KINDS = new Map([...ATTACHED_KINDS].map(([kind, documentType]) => [documentType, kind]));

const item = itemOf({ ...documentShape, document_type: choice([...KINDS.keys()]) }, [
  'document_type',
  'document_type_id',
  'file_name',
]);

/** Files attached to records: the raw bytes, with the marker in the URL. */
export const attachmentPush: PushResource = booksPush({
  definition: document,
  kind: 'Attachments',
  create: {
    ...writeForm(item, ({ document_type, document_type_id, file_name, file_type }, { marker }) => ({
      method: 'POST',
      path: `/${KINDS.get(document_type) ?? ''}/${encodeURIComponent(document_type_id)}/Attachments`,
      query: { fileName: file_name, reference: marker },
      body: null,
      contentType: file_type ?? BYTES_TYPE,
    })),
    names: documentNames,
  },
  update: null,
  names: { fileName: 'file_name' },
});
