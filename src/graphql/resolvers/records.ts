import type { GraphQLFieldResolver, GraphQLResolveInfo } from 'graphql';
import type { Context } from '../../context.js';
import type { Need } from '../../loaders/loaders.js';
import { type HistoryArguments, listHistory } from '../../operations/changes/changes.js';
import { loadMappedFields } from '../../operations/fields/mapped-fields.js';
import { getRecord, type RecordArguments } from '../../operations/records/get-record.js';
import { listChildren, listRecords, type ListArguments } from '../../operations/records/list-records.js';
import { listReferenced } from '../../operations/records/list-referenced.js';
import type { Row } from '../../query/columns.js';
import type { FilterInput } from '../../query/filters/filter.js';
import { ownedKey } from '../../query/owned-ids.js';
import { referenceKey } from '../../query/references.js';
import { RawJson } from '../../base/raw-json.js';
import type { RecordDefinition } from '../../records/define.js';
import { company, definitionOf, recordTypeOf } from '../../records/index.js';
import { IDENTITY, type LinesOfRelation, type ManyRelation, type Relation } from '../../records/relations.js';
import { encodeGlobalId } from '../global-id.js';
import { listNeed, recordNeed } from '../selection.js';
import { connectionOf } from './connections.js';

type Resolver<Source = Row, Arguments = object> = GraphQLFieldResolver<Source, Context, Arguments>;
type Resolvers = Record<string, Resolver<Row, never>>;

/** The metadata that relations need; the read path selects it with them (see `selection.ts`). */
interface Reference extends Row {
  readonly svcCompanyId: number;
  readonly svcId: number;
  readonly connectionId: number;
  readonly platformId: string;
  readonly svcIntegrationType: string;
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
    listChildren(context, listNeed(definition, info), args, {
      ...nested,
      parent: { svcCompanyId: company.svcId, reference: null },
    });
}

/** Resolvers of a record's relations and computed fields; plain columns need none. */
export function recordResolvers(definition: RecordDefinition): Resolvers {
  const resolvers: Record<string, Resolver<Reference, never>> = {};
  for (const [name, relation] of Object.entries(definition.relations)) {
    resolvers[name] = relationResolver(definition, name, relation);
  }
  resolvers['id'] = ({ svcCompanyId, svcId }) =>
    encodeGlobalId({ type: definition.model, svcCompanyId, key: svcId });
  if (definition.role === 'record') {
    resolvers['company'] = ({ svcCompanyId }, _args, context, info) =>
      loadCompany(svcCompanyId, context, info);
    resolvers['history'] = ({ svcCompanyId, svcId }, args: HistoryArguments, context) =>
      listHistory(context, { svcCompanyId, svcId }, args);
    resolvers['customFields'] = ({ customFields }) => readCustomFields(customFields);
    resolvers['fields'] = (row, _args, context) => loadMappedFields(context, definition, row);
    resolvers['connection'] = (row, _args, context) => connectionOf(row, context);
  }
  return resolvers as Resolvers;
}

/** The list that SQL made, with values as the platform writes them. */
const readCustomFields = (list: unknown): object[] =>
  (JSON.parse((list as RawJson).text) as { readonly value: string | null }[]).map((field) => ({
    ...field,
    value: field.value === null ? null : new RawJson(field.value),
  }));

function relationResolver(
  definition: RecordDefinition,
  name: string,
  relation: Relation,
): Resolver<Reference, ListArguments> {
  switch (relation.kind) {
    case 'one': {
      const target = definitionOf(relation.target);
      return (row, _args, context, info) => {
        const platformId = row[relation.by];
        return typeof platformId === 'string'
          ? load(recordNeed(target, info), row, platformId, context)
          : null;
      };
    }
    case 'oneOfType':
      return async (row, _args, context, info) => {
        const platformId = row[relation.by];
        const target = recordTypeOf(String(row[relation.type]));
        if (typeof platformId !== 'string' || !target) return null;
        const found = await load(recordNeed(target, info), row, platformId, context);
        return found && { ...found, __typename: target.model };
      };
    case 'coded': {
      const target = definitionOf(relation.target);
      return (row, _args, context, info) => {
        const code = row[relation.by];
        return typeof code === 'string'
          ? context.loaders
              .byCode(recordNeed(target, info), relation.code)
              .load(`${row.svcCompanyId}:${code}`)
          : null;
      };
    }
    case 'referenced': {
      const target = definitionOf(relation.target);
      const list = `${definition.model}.${name}`;
      return (row, args, context, info) =>
        listReferenced(context, listNeed(target, info), args, {
          ...row,
          list,
          platformIds: (row[relation.by] ?? []) as readonly string[],
        });
    }
    case 'lines': {
      const target = definitionOf(relation.target);
      return (row, _args, context, info) => loadLines(recordNeed(target, info), row, context);
    }
    case 'linesOf':
      return linesOfResolver(definition, relation);
    case 'embedded':
      return (row) => {
        const values = Object.entries(relation.fields).map(([field, column]): [string, unknown] => [
          field,
          row[column] ?? null,
        ]);
        return values.some(([field, value]) => value !== null && !(field in IDENTITY))
          ? Object.fromEntries<unknown>(values)
          : null;
      };
    case 'many':
      return manyResolver(definition, name, relation);
    default:
      return relation satisfies never;
  }
}

function manyResolver(
  definition: RecordDefinition,
  name: string,
  relation: ManyRelation,
): Resolver<Reference, ListArguments> {
  const target = definitionOf(relation.target);
  const parentColumn = target.fields[relation.by]?.wire;
  if (!parentColumn) throw new Error(`${definition.model}.${name}: ${relation.target} has no ${relation.by}`);
  const where = relation.where ? filterOf(relation.where) : null;
  const nested = { list: `${definition.model}.${name}`, parentColumn, where };
  return (row, args, context, info) => {
    const parent = {
      svcCompanyId: row.svcCompanyId,
      reference: { connectionId: row.connectionId, platformId: row.platformId },
    };
    return listChildren(context, listNeed(target, info), args, { ...nested, parent });
  };
}

function filterOf(where: Readonly<Record<string, string>>): FilterInput {
  return Object.fromEntries(Object.entries(where).map(([field, value]) => [field, { eq: value }]));
}

function linesOfResolver(
  definition: RecordDefinition,
  relation: LinesOfRelation,
): Resolver<Reference, ListArguments> {
  const target = definitionOf(relation.target);
  const of = definition.relations[relation.of];
  if (of?.kind !== 'one') throw new Error(`${definition.model}.${relation.of} must lead to one record`);
  const columns = new Set(['svcCompanyId', 'svcId']);
  const parentNeed = {
    definition: definitionOf(of.target),
    columns,
    key: `${of.target}(svcCompanyId,svcId)`,
  };
  return async (row, _args, context, info) => {
    const need = recordNeed(target, info);
    const platformId = row[of.by];
    const parent = typeof platformId === 'string' ? await load(parentNeed, row, platformId, context) : null;
    const lines = parent ? await loadLines(need, parent as Reference, context) : [];
    return lines.length > 0 ? lines : loadLines(need, row, context);
  };
}

/** A company by its id. */
export function loadCompany(
  svcCompanyId: number,
  context: Context,
  info: GraphQLResolveInfo,
): Promise<Row | null> {
  return context.loaders.row(recordNeed(company, info)).load(ownedKey({ svcCompanyId, svcId: svcCompanyId }));
}

function loadLines(need: Need, row: Reference, context: Context): Promise<readonly Row[]> {
  return context.loaders.lines(need).load(ownedKey(row));
}

function load(need: Need, row: Reference, platformId: string, context: Context): Promise<Row | null> {
  const key = referenceKey(row.svcCompanyId, row.connectionId, platformId);
  return context.loaders.reference(need).load(key);
}
