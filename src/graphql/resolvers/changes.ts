import type { GraphQLResolveInfo } from 'graphql';
import type { Context } from '../../context.js';
import { listChanges } from '../../operations/changes/changes.js';
import type { ListedChange } from '../../query/changes/changes.js';
import { type FieldChange, presentFieldChanges } from '../../query/changes/field-changes.js';
import type { Row } from '../../query/columns.js';
import { recordTypeOf } from '../../records/index.js';
import type {
  SchemaChangeCauseType,
  SchemaChangeResolvers,
  SchemaQueryResolvers,
} from '../__generated__/resolvers.js';
import { recordNeed } from '../selection.js';
import { connectionOf } from './connections.js';

export const changeQueries: Pick<SchemaQueryResolvers, 'changes'> = {
  changes: (_source, args, context) => listChanges(context, args),
};

export const changeFields: Pick<SchemaChangeResolvers, 'changes' | 'record' | 'connection' | 'cause'> = {
  changes: fieldChangesOf,
  record: loadRecord,
  connection: (change, _args, context) => connectionOf(change, context),
  cause: ({ causeType, causeId }) => ({
    type: causeType.toUpperCase() as SchemaChangeCauseType,
    id: causeId,
  }),
};

function fieldChangesOf({ dataModel, operation, fields }: ListedChange): Record<string, FieldChange> | null {
  const definition = recordTypeOf(dataModel);
  if (operation !== 'UPDATE' || !definition) return null;
  return fields ? presentFieldChanges(definition.fields, fields.text) : {};
}

async function loadRecord(
  { dataModel, svcCompanyId, svcId }: ListedChange,
  _args: object,
  context: Context,
  info: GraphQLResolveInfo,
): Promise<Row | null> {
  const definition = recordTypeOf(dataModel);
  if (!definition) return null;
  const row = await context.loaders.live(recordNeed(definition, info)).load(`${svcCompanyId}:${svcId}`);
  return row && { ...row, __typename: definition.model };
}
