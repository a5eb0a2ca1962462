import type { Executor } from '../../graphql/execute.js';
import { MAPPED_TYPES } from '../../query/filters/mapped-fields.js';
import { stringifyJson } from '../../base/raw-json.js';
import { records } from '../../records/index.js';
import { parseBoolean, parseChoice, parseSvcId, parseText } from '../../base/values.js';
import {
  CreateFieldMappingDocument,
  DeleteFieldMappingDocument,
  FieldMappingCheckDocument,
  FieldMappingDocument,
  FieldMappingsDocument,
  UpdateFieldMappingDocument,
} from '../__generated__/documents.js';
import type { Describer } from '../description/describe.js';
import { inEnvelopeC } from '../description/envelopes.js';
import { arrayOf, type JsonSchema, text, word } from '../description/json-schema.js';
import { COMPANY, type QueryParameter } from '../description/parameters.js';
import { envelopeC } from '../envelopes.js';
import { prepareMutation } from '../mutation.js';
import { prepareOperation } from '../prepared.js';
import { type Parser, readBody } from '../request/body.js';
import { absent, pathSvcId } from '../request/path.js';
import { readQuery } from '../request/query.js';
import type { RestRoute } from '../route.js';
import { deletionRoute } from './deletion-route.js';

const GROUP = 'Organisation';
/** What a mapping is tried with. */
const TRIED = ['data_model', 'integration_type', 'path', 'type'];
const dataModel = (about: string): QueryParameter => ({
  name: 'data_model',
  about,
  schema: word(...records.map((one) => one.dataModel)),
});
const integrationType = (about: string): QueryParameter => ({
  name: 'integration_type',
  about,
  schema: text,
});
const mappedType: Parser<(typeof MAPPED_TYPES)[number]> = (value, field) =>
  parseChoice(MAPPED_TYPES, value, field) as (typeof MAPPED_TYPES)[number];

const mappingSchema = (to: Describer): JsonSchema =>
  to.component('FieldMapping', () => to.inline(FieldMappingsDocument, 'result', 'nodes'));
const checkedSchema = (to: Describer): JsonSchema =>
  to.component('CheckedFieldMapping', () => to.inline(FieldMappingDocument, 'result'));

/** Values of `raw_data` with names of the organisation's own (docs/fields.md). */
export function fieldMappingRoutes(executor: Executor): RestRoute[] {
  const list = prepareOperation(executor, FieldMappingsDocument);
  const one = prepareOperation(executor, FieldMappingDocument);
  const trial = prepareOperation(executor, FieldMappingCheckDocument);
  const creation = prepareMutation(executor, CreateFieldMappingDocument);
  const change = prepareMutation(executor, UpdateFieldMappingDocument, { svcId: 'id' });
  const deletion = prepareMutation(executor, DeleteFieldMappingDocument, { svcId: 'id' });

  return [
    {
      method: 'GET',
      path: '/v3/core/field_mappings',
      describe: (to) => ({
        id: 'listFieldMappings',
        group: GROUP,
        summary: 'List field mappings',
        documentation: 'Query.fieldMappings',
        description: 'The complete list, in one answer.',
        parameters: [
          dataModel('Only mappings of this record type.'),
          integrationType('Only mappings of this platform.'),
        ],
        answer: inEnvelopeC(arrayOf(mappingSchema(to))),
      }),
      query: ['data_model', 'integration_type'],
      answer: async ({ query, context }) => {
        const fields = readQuery(query);
        const variables = {
          dataModel: fields.optional('data_model', parseText),
          integrationType: fields.optional('integration_type', parseText),
        };
        const { result } = await list.run(variables, context);
        return { body: envelopeC(stringifyJson(result.nodes)) };
      },
    },
    {
      method: 'GET',
      path: '/v3/core/field_mapping_check',
      describe: (to) => ({
        id: 'checkFieldMapping',
        group: GROUP,
        summary: 'Test a field mapping on the stored records',
        documentation: 'Query.fieldMappingCheck',
        parameters: [
          { ...dataModel('The record type.'), isRequired: true },
          { ...integrationType('The platform.'), isRequired: true },
          COMPANY,
          { name: 'path', about: 'Path of the value in `raw_data`.', schema: text, isRequired: true },
          { name: 'type', about: 'Type of the field.', schema: word(...MAPPED_TYPES), isRequired: true },
        ],
        answer: inEnvelopeC(to.selected(FieldMappingCheckDocument, 'result')),
      }),
      query: [...TRIED, 'svc_company_id'],
      answer: async ({ query, context }) => {
        const fields = readBody(query, TRIED);
        const variables = {
          dataModel: fields.required('data_model', parseText),
          integrationType: fields.required('integration_type', parseText),
          companyId: fields.optional('svc_company_id', parseSvcId) ?? null,
          path: fields.required('path', parseText),
          type: fields.required('type', mappedType),
        };
        const { result } = await trial.run(variables, context);
        return { body: envelopeC(stringifyJson(result)) };
      },
    },
    {
      method: 'POST',
      path: '/v3/core/field_mappings',
      describe: (to) => ({
        id: 'createFieldMapping',
        group: GROUP,
        summary: 'Map a value of raw_data to a field',
        documentation: 'Mutation.createFieldMapping',
        description: 'The answer says how it fits stored records.',
        scope: 'write',
        body: to.input(CreateFieldMappingDocument),
        answer: inEnvelopeC(checkedSchema(to)),
      }),
      answer: async ({ body, context }) => {
        const fields = readBody(body, ['integration_type', 'data_model', 'name', 'path', 'type']);
        const input = {
          integrationType: fields.required('integration_type', parseText),
          dataModel: fields.required('data_model', parseText),
          companyId: fields.optional('company_id', parseSvcId),
          name: fields.required('name', parseText),
          path: fields.required('path', parseText),
          type: fields.required('type', mappedType),
          isIndexed: fields.optional('is_indexed', parseBoolean),
        };
        const { fieldMapping } = await creation.run(input, context);
        return { body: envelopeC(stringifyJson(fieldMapping)), ignored: fields.ignored() };
      },
    },
    {
      method: 'GET',
      path: '/v3/core/field_mappings/:id',
      describe: (to) => ({
        id: 'getFieldMapping',
        group: GROUP,
        summary: 'Get a field mapping, and how it fits stored records',
        documentation: 'Query.fieldMapping',
        answer: inEnvelopeC(checkedSchema(to)),
      }),
      answer: async ({ params, context }) => {
        const { result } = await one.run({ svcId: idOf(params) }, context);
        if (result === null) throw absent('field mapping');
        return { body: envelopeC(stringifyJson(result)) };
      },
    },
    {
      method: 'PUT',
      path: '/v3/core/field_mappings/:id',
      describe: (to) => ({
        id: 'updateFieldMapping',
        group: GROUP,
        summary: 'Change a field mapping',
        documentation: 'Mutation.updateFieldMapping',
        description: 'Fields that are left out stay as they are.',
        scope: 'write',
        body: to.input(UpdateFieldMappingDocument, { without: ['svcId'] }),
        answer: inEnvelopeC(checkedSchema(to)),
      }),
      answer: async ({ params, body, context }) => {
        const fields = readBody(body);
        const input = {
          svcId: idOf(params),
          path: fields.optional('path', parseText),
          type: fields.optional('type', mappedType),
          isIndexed: fields.optional('is_indexed', parseBoolean),
        };
        const { fieldMapping } = await change.run(input, context);
        return { body: envelopeC(stringifyJson(fieldMapping)), ignored: fields.ignored() };
      },
    },
    deletionRoute({
      path: '/v3/core/field_mappings/:id',
      id: 'deleteFieldMapping',
      group: GROUP,
      summary: 'Remove a field mapping',
      documentation: 'Mutation.deleteFieldMapping',
      scope: 'write',
      run: (params, context) => deletion.run({ svcId: idOf(params) }, context),
    }),
  ];
}

const idOf = (params: Readonly<Record<string, string>>): number => pathSvcId(params['id'], 'field mapping');
