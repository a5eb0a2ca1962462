import { invalid } from '../../errors.js';
import type { Executor } from '../../graphql/execute.js';
import type { Limits } from '../../limits.js';
import { records, recordTypeOf, type RecordDefinition } from '../../records/index.js';
import type { Context } from '../../context.js';
import { parseDate, parseSvcId, parseText } from '../../base/values.js';
import { type BodyFields, readBody } from '../request/body.js';
import { ReadRecordDocument } from '../__generated__/documents.js';
import { prepareMutation } from '../mutation.js';
import { remember } from '../remember.js';
import { envelopeC } from '../envelopes.js';
import { selectionText, withRecord } from '../operation.js';
import type { RestAnswer, RestRoute } from '../route.js';
import { recordShape } from '../shape.js';
import { prepareStatements, STATEMENT_PLACES, type StatementPlace } from '../statement-places.js';
import { createWriter } from '../writer.js';
import { inEnvelopeC } from '../description/envelopes.js';
import {
  about,
  day,
  type JsonSchema,
  nullable,
  object,
  svcId,
  text,
  word,
} from '../description/json-schema.js';
import { statementSchema } from '../description/statement-descriptions.js';
import { recordSchema } from '../description/record-schemas.js';
import { CONNECTION_HEADER } from '../description/write-descriptions.js';

const RECORD_MODELS = records.map(({ dataModel }) => dataModel);
const STATEMENT_MODELS = STATEMENT_PLACES.map(({ dataModel }) => dataModel);

/** A statement is asked for by its period. */
const STATEMENT_RENAMES = {
  companyId: 'company_id',
  connectionId: 'connection_id',
  integrationType: 'integration_type',
  periodStart: 'variables.period_start',
  periodEnd: 'variables.period_end',
};

const requestSchema = (dataModel: JsonSchema, variables: JsonSchema): JsonSchema =>
  object(
    {
      company_id: about('Company of the record or statement.', svcId),
      data_model: dataModel,
      variables,
      connection_id: about('Connection to read through.', nullable(svcId)),
      integration_type: about('Platform to read from.', nullable(text)),
    },
    ['company_id', 'data_model', 'variables'],
  );

/** One record or statement as its platform has it now. Reference G11, real_time. */
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
  const statementsFor = remember(
    ({ kind, list }: StatementPlace) =>
      prepareStatements({
        kind,
        list,
        executor,
        limits,
        renames: STATEMENT_RENAMES,
        style: 'v3',
        select: [],
      }),
    ({ kind }) => kind,
  );
  const readStatement = async (
    place: StatementPlace,
    fields: BodyFields,
    variables: BodyFields,
    context: Context,
  ): Promise<RestAnswer> => {
    const { operation, write } = statementsFor(place);
    const wanted = {
      companyId: fields.required('company_id', parseSvcId),
      connectionId: fields.optional('connection_id', parseSvcId),
      integrationType: fields.optional('integration_type', parseText)?.toUpperCase(),
      periodStart: variables.optional('period_start', parseDate),
      periodEnd: variables.optional('period_end', parseDate),
      source: 'PLATFORM',
    };
    const [statement] = (await operation.run(wanted, context)).page.nodes;
    if (!statement) throw new Error('a company that is named has a statement, or an error says why not');
    return {
      body: envelopeC(write([statement]).slice(1, -1)),
      headers: { 'x-svc-connection-id': String(statement.made_of) },
      ignored: [...fields.ignored(), ...variables.ignored()],
    };
  };
  return {
    method: 'POST',
    path: '/v3/core/real_time',
    describe: (to) => ({
      id: 'readRecord',
      group: 'Platforms',
      summary: 'Read the current record or statement from its platform',
      documentation: 'Mutation.readRecord',
      description: 'A statement is not stored, and the scope `read` is enough for it.',
      scope: 'write',
      body: {
        anyOf: [
          requestSchema(
            about('Record type.', word(...RECORD_MODELS)),
            about(
              'The record.',
              object(
                { platform_id: about('Identifier on the platform; not needed for company info.', text) },
                [],
              ),
            ),
          ),
          requestSchema(
            about('Kind of statement.', word(...STATEMENT_MODELS)),
            about(
              'The period.',
              object(
                {
                  period_start: about('First day of a statement; by default January 1 of its year.', day),
                  period_end: about('Last day of a statement; default today in UTC.', day),
                },
                [],
              ),
            ),
          ),
        ],
      },
      answer: inEnvelopeC({
        anyOf: [
          ...records.map((definition) => recordSchema(to, definition)),
          ...STATEMENT_PLACES.map(({ kind }) => statementSchema(to, kind, 'v3')),
        ],
      }),
      headers: CONNECTION_HEADER,
    }),
    answer: async ({ body, context }) => {
      const fields = readBody(body, ['company_id', 'data_model', 'variables']);
      const dataModel = fields.required('data_model', parseText).toUpperCase();
      const place = STATEMENT_PLACES.find((one) => one.dataModel === dataModel);
      const definition = recordTypeOf(dataModel);
      const variablesWith = (...needed: string[]) =>
        readBody(
          fields.required('variables', (value) => value),
          needed,
          ['variables'],
        );
      if (place) return readStatement(place, fields, variablesWith(), context);
      if (!definition) {
        throw invalid(
          'data_model',
          `must be one of ${[...RECORD_MODELS, ...STATEMENT_MODELS].join(', ')}, got ${dataModel.slice(0, 60)}`,
        );
      }
      const variables = definition.isOnly ? variablesWith() : variablesWith('platform_id');
      const { mutation, write } = readFor(definition);
      const { record, connectionId } = await mutation.run(
        {
          companyId: fields.required('company_id', parseSvcId),
          dataModel,
          platformId: variables.optional('platform_id', parseText) ?? null,
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
