import type { Executor } from '../../graphql/execute.js';
import type { Limits } from '../../limits.js';
import { stringifyJson } from '../../base/raw-json.js';
import { recordTypeOf } from '../../records/index.js';
import type { RecordDefinition } from '../../records/define.js';
import { parseText } from '../../base/values.js';
import { absent } from '../request/path.js';
import { readQuery } from '../request/query.js';
import { envelopeC } from '../envelopes.js';
import { prepareMutation } from '../mutation.js';
import {
  CapabilitiesDocument,
  RetryWriteDocument,
  WriteDocument,
  WriteKindDocument,
} from '../__generated__/documents.js';
import { withRecord } from '../operation.js';
import { prepareOperation } from '../prepared.js';
import { remember } from '../remember.js';
import type { AnsweringRoute, RestRoute } from '../route.js';
import { uploadStatus, writeItem, writtenShape } from '../write-shape.js';
import { writtenTypes } from '../../operations/integrations/capabilities.js';
import type { Describer } from '../description/describe.js';
import { inEnvelopeC } from '../description/envelopes.js';
import { type JsonSchema, arrayOf, text } from '../description/json-schema.js';
import { uploadSchema } from '../description/write-descriptions.js';

const anyUpload = (to: Describer): JsonSchema =>
  to.component('Upload', () => ({
    anyOf: writtenTypes().map(({ definition }) => uploadSchema(to, definition)),
  }));

/** Results of writes, and what can be written. Reference G11. */
export function uploadRoutes(executor: Executor, limits: Limits): RestRoute[] {
  const kind = prepareOperation(executor, WriteKindDocument);
  const capabilities = prepareOperation(executor, CapabilitiesDocument);
  // A field has one meaning per operation, and record types differ: each has its own operation.
  const uploadFor = remember(
    (definition: RecordDefinition) => {
      const shape = writtenShape(definition, limits, true);
      return { operation: prepareOperation(executor, withRecord(WriteDocument, shape.record)), shape };
    },
    ({ dataModel }) => dataModel,
  );
  const retry = prepareMutation(executor, RetryWriteDocument, { writeId: 'upload_job_id' });
  const show: AnsweringRoute['answer'] = async ({ params, context }) => {
    const id = parseText(params['upload_job_id'], 'upload_job_id');
    const { result } = await kind.run({ id }, context);
    const definition = result && recordTypeOf(result.dataModel);
    if (!definition) throw absent('upload');
    const { operation, shape } = uploadFor(definition);
    const { result: upload } = await operation.run({ id }, context);
    if (!upload) throw absent('upload');
    const items = upload.items.nodes.map((item) => writeItem(item, shape.write)).join(',');
    const status = uploadStatus(upload.state);
    return {
      body: envelopeC(
        `{"data":[${items}],"status":"${status}","upload_job_id":${JSON.stringify(upload.writeId)}}`,
      ),
    };
  };

  return [
    {
      method: 'GET',
      path: '/v3/core/uploads/:upload_job_id',
      describe: (to) => ({
        id: 'getUpload',
        group: 'Writes',
        summary: 'Get the result of a write',
        documentation: 'Query.write',
        description: 'With the result of each of its items; poll it while its status is PENDING.',
        answer: inEnvelopeC(anyUpload(to)),
      }),
      answer: show,
    },
    {
      method: 'POST',
      path: '/v3/core/uploads/:upload_job_id/retry',
      describe: (to) => ({
        id: 'retryUpload',
        group: 'Writes',
        summary: 'Resume a write that was given up',
        documentation: 'Mutation.retryWrite',
        description: 'Answers immediately: poll `GET /v3/core/uploads/{upload_job_id}`.',
        scope: 'write',
        answer: inEnvelopeC(anyUpload(to)),
      }),
      answer: async (request) => {
        const writeId = parseText(request.params['upload_job_id'], 'upload_job_id');
        await retry.run({ writeId }, request.context);
        return show(request);
      },
    },
    {
      method: 'GET',
      path: '/v3/core/capabilities',
      describe: (to) => ({
        id: 'listCapabilities',
        group: 'Writes',
        summary: 'List what each platform can do',
        documentation: 'Query.capabilities',
        description: 'Says which fields its writes accept. The complete list, in one answer.',
        parameters: [
          { name: 'integration_type', about: 'Only for this platform.', schema: text },
          { name: 'category', about: 'Only for this category.', schema: text },
        ],
        answer: inEnvelopeC(
          arrayOf(to.component('Capabilities', () => to.selected(CapabilitiesDocument, 'result', 'nodes'))),
        ),
      }),
      query: ['integration_type', 'category'],
      answer: async ({ query, context }) => {
        const fields = readQuery(query);
        const { result } = await capabilities.run(
          {
            integrationType: fields.optional('integration_type', parseText),
            category: fields.optional('category', parseText),
          },
          context,
        );
        return { body: envelopeC(stringifyJson(result.nodes)) };
      },
    },
  ];
}
