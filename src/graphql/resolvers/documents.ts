import { downloadDocument } from '../../operations/documents/download-document.js';
import { getRecord } from '../../operations/records/get-record.js';
import { document } from '../../records/index.js';
import { recordNeed } from '../selection.js';
import type {
  SchemaDownloadDocumentPayloadResolvers,
  SchemaMutationResolvers,
} from '../__generated__/resolvers.js';
import { carryOut } from './mutation.js';

const NOTHING = { documentSvcId: null, downloadUrl: null, expiresAt: null };

export const documentMutations: Pick<SchemaMutationResolvers, 'downloadDocument'> = {
  downloadDocument: (_source, { input }, context) =>
    carryOut(input, NOTHING, () => downloadDocument(context, input)),
};

/** Read after the file was stored, so that it shows this. */
export const downloadFields: Pick<SchemaDownloadDocumentPayloadResolvers, 'document'> = {
  document: ({ documentSvcId }, _args, context, info) =>
    documentSvcId === null ? null : getRecord(context, recordNeed(document, info), { svcId: documentSvcId }),
};
