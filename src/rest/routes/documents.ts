import { AppError } from '../../errors.js';
import type { Executor } from '../../graphql/execute.js';
import type { Limits } from '../../limits.js';
import { document } from '../../records/index.js';
import { parseSvcId, parseText } from '../../values.js';
import { envelopeC } from '../envelopes.js';
import { selectionText } from '../operation.js';
import type { RestRoute } from '../route.js';
import { recordShape } from '../shape.js';
import { createWriter, writeText } from '../writer.js';
import { prepareMutation } from '../mutation.js';
import { parsed } from '../request/query.js';

const COMPANY = 'svc_company_id';

/** The files of documents. Reference 4.4: the document as elsewhere, with its global id and where its file is. */
export function documentRoutes(executor: Executor, { expandedRecords }: Limits): RestRoute[] {
  const shape = recordShape(document, {
    style: 'v3',
    expand: [],
    select: ['platformUniqueId'],
    includeDeleted: true,
  });
  const write = createWriter(shape, expandedRecords);
  const download = prepareMutation(
    executor,
    'downloadDocument',
    `document ${selectionText(shape, expandedRecords)} downloadUrl`,
    { companyId: COMPANY },
  );
  return [
    {
      method: 'GET',
      path: '/v3/download_document/:document_id',
      answer: async ({ params, query, context }) => {
        const companyId = parsed(query, COMPANY, parseSvcId);
        if (companyId === null) {
          throw new AppError('missing-params', `Missing required parameter: ${COMPANY}`, COMPANY);
        }
        const documentId = parseText(params['document_id'], 'document_id');
        const answered = await download.run({ companyId, documentId }, context);
        // Its company was deleted meanwhile.
        if (answered['document'] === null) {
          throw new AppError('not-found', 'there is no such document', 'document_id');
        }
        const url = writeText(String(answered['downloadUrl']));
        const body = `${write(answered['document']).slice(0, -1)},"download_url":${url}}`;
        return {
          body: envelopeC(body),
          headers: { 'cache-control': 'private, no-store' },
          ignored: Object.keys(query).filter((name) => name !== COMPANY),
        };
      },
    },
  ];
}
