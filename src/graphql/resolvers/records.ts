import type { GraphQLFieldResolver, GraphQLResolveInfo } from 'graphql';
import type { Context } from '../../context.js';
import {
  getRecord,
  listChildren,
  listRecords,
  type ListArguments,
  type RecordArguments,
} from '../../operations/list-records.js';
import type { Row } from '../../query/columns.js';
import { referenceKey } from '../../query/references.js';
import type { RecordDefinition } from '../../records/define.js';
import { definitionOf } from '../../records/index.js';
import type { Relation } from '../../records/relations.js';
import { encodeGlobalId } from '../global-id.js';
import { listNeed, recordNeed } from '../selection.js';

type Resolver<Source = Row, Arguments = object> = GraphQLFieldResolver<Source, Context, Arguments>;
type Resolvers = Record<string, Resolver<Row, never>>;

/** The metadata that relations stand on; the read path selects it with them (see `selection.ts`). */
interface Reference extends Row {
  readonly svcCompanyId: number;
  readonly svcId: number;
  readonly connectionId: number;
  readonly platformId: string;
}

/** `accounts(...)` of Query. */
export function rootList(definition: RecordDefinition): Resolver<unknown, ListArguments> {
  return (_source, args, context, info) => listRecords(context, listNeed(definition, info), args);
}

/** `account(...)` of Query. */
export function rootRecord(definition: RecordDefinition): Resolver<unknown, RecordArguments> {
  return (_source, args, context, info) => getRecord(context, recordNeed(definition, info), args);
}

/** `accounts(...)` of Company. */
export function companyList(definition: RecordDefinition): Resolver<{ svcId: number }, ListArguments> {
  const nested = { list: `Company.${definition.list}`, parentColumn: null };
  return (company, args, context, info) =>
    listChildren(context, listNeed(definition, info), args, nested, {
      svcCompanyId: company.svcId,
      reference: null,
    });
}

/** Resolvers of a record's relations and computed fields; plain columns need none (design 10.9). */
export function recordResolvers(definition: RecordDefinition): Resolvers {
  const resolvers: Record<string, Resolver<Reference, never>> = {};
  for (const [name, relation] of Object.entries(definition.relations)) {
    resolvers[name] = relationResolver(definition, name, relation);
  }
  if (definition.role === 'record') {
    resolvers['id'] = ({ svcCompanyId, svcId }) =>
      encodeGlobalId({ model: definition.model, svcCompanyId, svcId });
    resolvers['connection'] = async ({ svcCompanyId, connectionId }, _args, context) => {
      const connections = await context.loaders.connections().load(String(svcCompanyId));
      return connections.find(({ svcId }) => svcId === connectionId) ?? null;
    };
  }
  return resolvers as Resolvers;
}

function relationResolver(
  definition: RecordDefinition,
  name: string,
  relation: Relation,
): Resolver<Reference, ListArguments> {
  const target = definitionOf(relation.target);
  switch (relation.kind) {
    case 'one':
      return (row, _args, context, info) => {
        const platformId = row[relation.by];
        return typeof platformId === 'string' ? load(target, row, platformId, context, info) : null;
      };
    case 'referenced':
      return async (row, _args, context, info) => {
        const platformIds = (row[relation.by] ?? []) as readonly string[];
        const found = await Promise.all(platformIds.map((id) => load(target, row, id, context, info)));
        return found.filter((one) => one !== null);
      };
    case 'lines':
      return (row, _args, context, info) =>
        context.loaders.lines(recordNeed(target, info)).load(`${row.svcCompanyId}:${row.svcId}`);
    case 'many': {
      const parentColumn = target.fields[relation.by]?.wire;
      if (!parentColumn)
        throw new Error(`${definition.model}.${name}: ${relation.target} has no ${relation.by}`);
      const nested = { list: `${definition.model}.${name}`, parentColumn };
      return (row, args, context, info) =>
        listChildren(context, listNeed(target, info), args, nested, {
          svcCompanyId: row.svcCompanyId,
          reference: { connectionId: row.connectionId, platformId: row.platformId },
        });
    }
    default:
      return relation satisfies never;
  }
}

function load(
  target: RecordDefinition,
  row: Reference,
  platformId: string,
  context: Context,
  info: GraphQLResolveInfo,
): Promise<Row | null> {
  const key = referenceKey(row.svcCompanyId, row.connectionId, platformId);
  return context.loaders.reference(recordNeed(target, info)).load(key);
}
