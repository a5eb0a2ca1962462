import {
  type DocumentNode,
  getNamedType,
  type GraphQLSchema,
  isAbstractType,
  isObjectType,
  Kind,
  TypeInfo,
  type ValueNode,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import type { Context } from '../context.js';
import type { RecordsRead } from '../db/stamp.js';
import { lowerFirst } from '../base/names.js';
import type { RecordDefinition } from '../records/define.js';
import { definitionOf, lineTypes, records } from '../records/index.js';
import { metadata } from '../records/metadata.js';
import { parseSvcId } from '../base/values.js';

/**
 * The reads of a document's operations, completed by variables; null if they read anything besides records, or anything
 * that depends on the time or has no stamp. Unknown fields count as such.
 */
type ReadPlan = (
  variables: Readonly<Record<string, unknown>>,
  /** Companies that the caller may see; null for all. */
  visible: readonly number[] | null,
) => RecordsRead;

interface AskedOperation {
  readonly document: DocumentNode;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** Whether the caller already has the operation's answer. Checked before anything is read. */
export async function isUnchanged(
  schema: GraphQLSchema,
  { document, variables }: AskedOperation,
  { condition, sql }: Context,
): Promise<boolean> {
  const plan = condition && planOf(schema, document);
  return plan ? condition.isUnchanged(sql, plan(variables, sql.scope.companyIds)) : false;
}

const plans = new WeakMap<DocumentNode, { readonly plan: ReadPlan | null }>();

/** The plan of a document that is valid; it is made once. */
function planOf(schema: GraphQLSchema, document: DocumentNode): ReadPlan | null {
  let kept = plans.get(document);
  if (!kept) plans.set(document, (kept = { plan: makePlan(schema, document) }));
  return kept.plan;
}

/** Fields of `Query` that read records. */
const ROOTS = records.flatMap(({ list, model }) => [list, lowerFirst(model)]);
/** For records: columns, values derived from them, and mapped fields, whose mappings are stamped. */
const WITH_RECORDS = ['id', 'fields', 'customFields'];
const CONNECTION = ['nodes', 'edges', 'pageInfo', 'totalCount', 'changePosition'];
const PAGE_INFO = ['hasNextPage', 'hasPreviousPage', 'startCursor', 'endCursor'];
const CUSTOM_FIELD = ['id', 'name', 'value', 'type'];

/** The fields of each type that have a stamp; others have none. */
function stampedFields(schema: GraphQLSchema): ReadonlyMap<string, ReadonlySet<string>> {
  const stamped = new Map<string, Set<string>>();
  const add = (type: string, names: readonly string[]) =>
    stamped.set(type, new Set([...(stamped.get(type) ?? []), ...names]));
  add('Query', ROOTS);
  add('Node', ['id']);
  add('Record', [...Object.keys(metadata), ...WITH_RECORDS]);
  add('PageInfo', PAGE_INFO);
  add('CustomField', CUSTOM_FIELD);
  for (const { model, fields, relations, role } of [...records, ...lineTypes]) {
    add(model, [
      ...Object.keys(fields),
      ...Object.keys(relations),
      ...(role === 'record' ? WITH_RECORDS : ['id']),
    ]);
    add(`${model}Connection`, CONNECTION);
    add(`${model}Edge`, ['node', 'cursor']);
    const type = schema.getType(model);
    if (!isObjectType(type)) throw new Error(`there is no type ${model}`);
    for (const [name, relation] of Object.entries(relations)) {
      if (relation.kind !== 'embedded') continue;
      const embedded = type.getFields()[name];
      if (!embedded) throw new Error(`${model} has no field ${name}`);
      add(getNamedType(embedded.type).name, Object.keys(relation.fields));
    }
  }
  return stamped;
}

const stampedOf = new WeakMap<GraphQLSchema, ReadonlyMap<string, ReadonlySet<string>>>();
const byModel = new Map<string, RecordDefinition>([...records, ...lineTypes].map((one) => [one.model, one]));
/** For a list that shows only its count, no records. */
const byConnection = new Map(records.map((one) => [`${one.model}Connection`, one]));

function makePlan(schema: GraphQLSchema, document: DocumentNode): ReadPlan | null {
  let stamped = stampedOf.get(schema);
  if (!stamped) stampedOf.set(schema, (stamped = stampedFields(schema)));
  const info = new TypeInfo(schema);
  const dataModels = new Set<string>();
  /** The company that each root field names; null where it names none. */
  const companies: (ValueNode | null)[] = [];
  let isStamped = true;
  let hasPosition = false;
  visit(
    document,
    visitWithTypeInfo(info, {
      Field: (field) => {
        const name = field.name.value;
        const parent = info.getParentType()?.name ?? '';
        if (name === '__typename') return;
        if (!stamped.get(parent)?.has(name)) isStamped = false;
        if (parent === 'Query') {
          const argument = field.arguments?.find((one) => one.name.value === 'companyId');
          // A record named by its svc_id is read regardless of its company.
          const isNamed = !field.arguments?.some((one) => one.name.value === 'svcId');
          companies.push(isNamed && argument ? argument.value : null);
        }
        if (name === 'changePosition') hasPosition = true;
        for (const definition of definitionsOf(schema, getNamedType(info.getType()))) {
          if (definition.role === 'record') dataModels.add(definition.dataModel);
        }
        const relation = byModel.get(parent)?.relations[name];
        const of = relation?.kind === 'linesOf' && byModel.get(parent)?.relations[relation.of];
        if (of && of.kind === 'one') dataModels.add(definitionOf(of.target).dataModel);
      },
    }),
  );
  if (!isStamped) return null;
  const types = [...dataModels].sort();
  return (variables, visible) => {
    const named = companies.map((node) => companyIn(node, variables));
    const companyIds = named.every((id) => id !== null)
      ? [...new Set(named)].sort((one, other) => one - other)
      : visible;
    // A position belongs to the whole organisation.
    return { companyIds: hasPosition ? null : companyIds, dataModels: types };
  };
}

function definitionsOf(
  schema: GraphQLSchema,
  type: ReturnType<typeof getNamedType> | null | undefined,
): RecordDefinition[] {
  if (!type) return [];
  const types = isAbstractType(type) ? schema.getPossibleTypes(type) : [type];
  return types.flatMap(({ name }) => byModel.get(name) ?? byConnection.get(name) ?? []);
}

/** The value of an argument, if it is certain. */
function companyIn(node: ValueNode | null, variables: Readonly<Record<string, unknown>>): number | null {
  const value =
    node?.kind === Kind.VARIABLE
      ? variables[node.name.value]
      : node?.kind === Kind.INT || node?.kind === Kind.STRING
        ? node.value
        : null;
  try {
    return value == null ? null : parseSvcId(value, 'companyId');
  } catch {
    return null;
  }
}
