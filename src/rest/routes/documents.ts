import { AppError } from '../../errors.js';
import type { Executor } from '../../graphql/execute.js';
import type { Limits } from '../../limits.js';
import { document } from '../../records/index.js';
import { parseSvcId, parseText } from '../../base/values.js';
import { envelopeC } from '../envelopes.js';
import { selectionText, withRecord } from '../operation.js';
import type { RestRoute } from '../route.js';
import { recordShape } from '../shape.js';
import { createWriter, writeText } from '../writer.js';
import { inEnvelopeC } from '../description/envelopes.js';
import { about, text } from '../description/json-schema.js';
import { COMPANY as COMPANY_PARAMETER } from '../description/parameters.js';
import { shapeSchema } from '../description/record-schemas.js';
import { DownloadDocumentDocument } from '../__generated__/documents.js';
import { prepareMutation } from '../mutation.js';
import { readQuery } from '../request/query.js';

const COMPANY = 'svc_company_id';

/** The files of documents. Reference 4.4: the document as elsewhere, and where its file is. */
export function documentRoutes(executor: Executor, { expandedRecords }: Limits): RestRoute[] {
  const shape = recordShape(document, {
    style: 'v3',
    expand: [],
    select: [],
    includeDeleted: true,
  });
  const write = createWriter(shape, expandedRecords);
  const selection = selectionText(shape, expandedRecords);
  const download = prepareMutation(executor, withRecord(DownloadDocumentDocument, selection), {
    companyId: COMPANY,
  });
  return [
    {
      method: 'GET',
      path: '/v3/download_document/:document_id',
      describe: (to) => ({
        id: 'downloadDocument',
        group: 'Accounting',
        summary: 'Get a document and the URL of its file',
        documentation: 'Mutation.downloadDocument',
        description: 'The address needs no key and expires.',
        asksPlatform: true,
        parameters: [{ ...COMPANY_PARAMETER, about: 'Company of the document.', isRequired: true }],
        answer: inEnvelopeC(
          shapeSchema(to, document, shape, {
            also: { download_url: about('URL of the file, valid for a limited time.', text) },
          }),
        ),
      }),
      query: [COMPANY],
      answer: async ({ params, query, context }) => {
        const companyId = readQuery(query).optional(COMPANY, parseSvcId);
        if (companyId === null) {
          throw new AppError('missing-params', 'Send the company of the document', COMPANY);
        }
        const documentId = parseText(params['document_id'], 'document_id');
        const { record, downloadUrl } = await download.run({ companyId, documentId }, context);
        // Its company was deleted meanwhile.
        if (record === null) {
          throw new AppError('not-found', 'there is no such document', 'document_id');
        }
        const url = writeText(downloadUrl ?? '');
        const body = `${write(record).slice(0, -1)},"download_url":${url}}`;
        return {
          body: envelopeC(body),
          headers: { 'cache-control': 'private, no-store' },
        };
      },
    },
  ];
}
