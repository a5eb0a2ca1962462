import { hashPlatformObject } from '../../connectors/values/data-hash.js';
import { itemOf } from '../../connectors/inputs/fields.js';
import { documentNames, documentShape } from '../../connectors/inputs/files.js';
import type { ItemForm } from '../../writes/checks/check-item.js';
import { LOCAL_VERSION } from '../../store/local-version.js';
import { randomId } from '../../runs/random-id.js';
import type { IncomingRecord } from '../../store/ready-batch.js';

const input = itemOf(documentShape);

/** Metadata of a document without its file: stored here only, for every platform. */
export const localDocumentForm: ItemForm = { input, names: documentNames };

/** The document of such an item. */
export function localDocument(item: Readonly<Record<string, unknown>>): IncomingRecord {
  const given = input.parse(item);
  return {
    platformId: `svc-${randomId()}`,
    values: {
      documentType: given.document_type ?? null,
      documentTypeId: given.document_type_id ?? null,
      documentUploaded: false,
      fileName: given.file_name ?? null,
      fileSize: given.file_size ?? null,
      fileType: given.file_type ?? null,
      updatedAt: given.updated_at ?? null,
    },
    raw: { text: JSON.stringify(given), altered: false },
    dataHash: hashPlatformObject(given),
    mapperVersion: LOCAL_VERSION,
  };
}
