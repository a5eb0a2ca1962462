import { checkFieldMapping, tryFieldMapping } from '../../operations/fields/check-field-mapping.js';
import { fieldIndexState } from '../../operations/fields/field-indexes.js';
import { getFieldMapping, listFieldMappings } from '../../operations/fields/field-mappings.js';
import {
  createFieldMapping,
  deleteFieldMapping,
  updateFieldMapping,
} from '../../operations/fields/write-field-mappings.js';
import type {
  SchemaFieldMappingResolvers,
  SchemaMutationResolvers,
  SchemaQueryResolvers,
} from '../__generated__/resolvers.js';
import { encodeGlobalId } from '../global-id.js';
import { carryOut } from './mutation.js';

/** Values of `raw_data` with names of the organisation's own. */
export const fieldMappingQueries: Pick<
  SchemaQueryResolvers,
  'fieldMapping' | 'fieldMappings' | 'fieldMappingCheck'
> = {
  fieldMappings: (_source, args, context) => listFieldMappings(context, args),
  fieldMapping: (_source, { svcId }, context) => getFieldMapping(context, svcId),
  fieldMappingCheck: (_source, { companyId, ...mapping }, context) =>
    tryFieldMapping(context, { ...mapping, svcCompanyId: companyId ?? null }),
};

export const fieldMappingFields: Pick<
  SchemaFieldMappingResolvers,
  'earlierVersions' | 'indexState' | 'check'
> = {
  earlierVersions: ({ earlier }) => [...earlier],
  indexState: (mapping, _args, context) => fieldIndexState(context, mapping),
  check: (mapping, _args, context) => checkFieldMapping(context, mapping),
};

export const fieldMappingMutations: Pick<
  SchemaMutationResolvers,
  'createFieldMapping' | 'updateFieldMapping' | 'deleteFieldMapping'
> = {
  createFieldMapping: (_source, { input }, context) =>
    carryOut(input, { fieldMapping: null }, async () => ({
      fieldMapping: await createFieldMapping(context, input),
    })),
  updateFieldMapping: (_source, { input }, context) =>
    carryOut(input, { fieldMapping: null }, async () => ({
      fieldMapping: await updateFieldMapping(context, input),
    })),
  deleteFieldMapping: (_source, { input }, context) =>
    carryOut(input, { deletedSvcId: null, deletedId: null }, async () => {
      await deleteFieldMapping(context, input.svcId);
      const deletedId = encodeGlobalId({ type: 'FieldMapping', svcCompanyId: 0, key: input.svcId });
      return { deletedSvcId: input.svcId, deletedId };
    }),
};
