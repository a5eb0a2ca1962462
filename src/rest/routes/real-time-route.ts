import { invalid } from '../../errors.js';
import type { Executor } from '../../graphql/execute.js';
import type { Limits } from '../../limits.js';
import { records, recordTypeOf, type RecordDefinition } from '../../records/index.js';
import { parseSvcId, parseText } from '../../values.js';
import { readBody } from '../request/body.js';
import { ReadRecordDocument } from '../__generated__/documents.js';
import { prepareMutation } from '../mutation.js';
import { withRecord } from '../prepared.js';
import { remember } from '../remember.js';
import { envelopeC } from '../envelopes.js';
import { selectionText } from '../operation.js';
import type { RestRoute } from '../route.js';
import { recordShape } from '../shape.js';
import { createWriter } from '../writer.js';
import { inEnvelopeC } from '../description/envelopes.js';
import { about, nullable, object, svcId, text, word } from '../description/json-schema.js';
import { recordSchema } from '../description/record-schemas.js';
import { CONNECTION_HEADER } from '../description/write-descriptions.js';

/** One record as its platform has it now. Reference G11, real_time. */
export function realTimeRoute(executor: Executor, limits: Limits): RestRoute {
  const readFor = remember(
    (definition: RecordDefinition) => {
      const shape = recordShape(definition, { style: 'v3', expand: [], select: [], includeDeleted: true });
      const selection = selectionText(shape, limits.expandedRecords);
      const document = withRecord(ReadRecordDocument, `{ ... on ${definition.model} ${selection} }`);
      const mutation = prepareMutation(executor, document, { platformId: 'variables.platform_id' });
      return { mutation, write: createWriter(shape, limits.expandedRecords) };
    },
    ({ dataModel }) => dataModel,
  );
  return {
    method: 'POST',
    path: '/v3/core/real_time',
    describe: (to) => ({
      id: 'readRecord',
      group: 'Platforms',
      summary: 'Read a record as its platform has it now',
      body: object(
        {
          company_id: about('Company of the record.', svcId),
          data_model: about('Record type.', word(...records.map((one) => one.dataModel))),
          variables: object({ platform_id: about('Identifier at the platform.', text) }),
          connection_id: about('Connection to read through.', nullable(svcId)),
          integration_type: about('Platform to read from.', nullable(text)),
        },
        ['company_id', 'data_model', 'variables'],
      ),
      answer: inEnvelopeC({ anyOf: records.map((definition) => recordSchema(to, definition)) }),
      headers: CONNECTION_HEADER,
    }),
    answer: async ({ body, context }) => {
      const fields = readBody(body, ['company_id', 'data_model', 'variables']);
      const variables = readBody(
        fields.required('variables', (value) => value),
        ['platform_id'],
        ['variables'],
      );
      const dataModel = fields.required('data_model', parseText);
      const definition = recordTypeOf(dataModel);
      if (!definition) {
        const known = records.map((one) => one.dataModel).join(', ');
        throw invalid('data_model', `must be one of ${known}, got ${dataModel.slice(0, 60)}`);
      }
      const { mutation, write } = readFor(definition);
      const { record, connectionId } = await mutation.run(
        {
          companyId: fields.required('company_id', parseSvcId),
          dataModel,
          platformId: variables.required('platform_id', parseText),
          connectionId: fields.optional('connection_id', parseSvcId),
          integrationType: fields.optional('integration_type', parseText),
        },
        context,
      );
      return {
        body: envelopeC(write(record)),
        headers: { 'x-svc-connection-id': String(connectionId) },
        ignored: [...fields.ignored(), ...variables.ignored()],
      };
    },
  };
}
