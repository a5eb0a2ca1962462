import type { DocumentModel } from '../../db/__generated__/models.js';
import { defineRecord } from '../define.js';
import { boolean, oneOf, text, timestamp } from '../fields.js';
import { oneOfType } from '../relations.js';
import { DOCUMENT_TYPES } from '../value-sets.js';

/** Reference 2.2, 2.3, Document. */
export const document = defineRecord<DocumentModel>()({
  model: 'Document',
  table: 'documents',
  list: 'documents',
  path: 'accounting/documents',
  dataModel: 'DOCUMENTS',
  category: 'ACCOUNTING',
  fields: {
    documentType: oneOf('document_type', DOCUMENT_TYPES),
    documentTypeId: text('document_type_id'),
    documentUploaded: boolean('document_uploaded'),
    fileName: text('file_name'),
    fileSize: text('file_size'),
    fileType: text('file_type'),
    updatedAt: timestamp('updated_at'),
  },
  relations: { voucher: oneOfType('documentType', 'documentTypeId') },
  rest: { metadata: ['platformUniqueId'] },
});
