import type { GraphQLResolveInfo } from 'graphql';
import type { Context } from '../../context.js';
import { invalid } from '../../errors.js';
import { getRecord } from '../../operations/records/get-record.js';
import type { Row } from '../../query/columns.js';
import { definitionOf } from '../../records/index.js';
import { decodeGlobalId } from '../global-id.js';
import { recordNeed } from '../selection.js';
import type { SchemaQueryResolvers } from '../__generated__/resolvers.js';

const MOST_NODES = 100;

export const nodeQueries: Required<Pick<SchemaQueryResolvers, 'node' | 'nodes'>> = {
  node: (_source, { id }, context, info) => loadNode(id, context, info),
  nodes: (_source, { ids }, context, info) => {
    if (ids.length > MOST_NODES) {
      throw invalid('ids', `ids takes at most ${MOST_NODES} ids, got ${ids.length}`);
    }
    return Promise.all(ids.map((id) => loadNode(id, context, info)));
  },
};

async function loadNode(id: string, context: Context, info: GraphQLResolveInfo): Promise<Row | null> {
  const decoded = decodeGlobalId(id);
  if (!decoded) return null;
  const definition = definitionOf(decoded.model);
  const row = await getRecord(context, recordNeed(definition, info), {
    svcId: decoded.svcId,
    companyId: decoded.svcCompanyId,
  });
  return row && { ...row, __typename: decoded.model };
}
