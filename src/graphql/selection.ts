import {
  type FieldNode,
  getDirectiveValues,
  GraphQLIncludeDirective,
  GraphQLSkipDirective,
  type GraphQLResolveInfo,
  Kind,
  type SelectionSetNode,
} from 'graphql';
import type { Need } from '../loaders/loaders.js';
import type { ListNeed } from '../operations/records/list-records.js';
import type { RecordDefinition } from '../records/define.js';
import { lineTypes, records } from '../records/index.js';

/** The fields selected below some field nodes, directly or in fragments, by field name. */
type Selected = Map<string, FieldNode[]>;

const MODELS = new Set([...records, ...lineTypes].map(({ model }) => model));

interface Walk {
  readonly info: GraphQLResolveInfo;
  /** The type of the record: selections on other types are ignored. */
  readonly model: string;
  /** False when a variable decides what is selected: the answer then holds for this request only. */
  constant: boolean;
}

function selectedBelow(nodes: readonly FieldNode[], walk: Walk): Selected {
  const selected: Selected = new Map();
  const visited = new Set<string>();
  const fits = (condition = walk.model) => condition === walk.model || !MODELS.has(condition);
  const visit = (set: SelectionSetNode | undefined): void => {
    for (const selection of set?.selections ?? []) {
      if (selection.directives?.length) {
        walk.constant = false;
        const { variableValues } = walk.info;
        if (getDirectiveValues(GraphQLSkipDirective, selection, variableValues)?.['if'] === true) continue;
        if (getDirectiveValues(GraphQLIncludeDirective, selection, variableValues)?.['if'] === false)
          continue;
      }
      if (selection.kind === Kind.FIELD) {
        const name = selection.name.value;
        const same = selected.get(name);
        if (same) same.push(selection);
        else selected.set(name, [selection]);
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        if (fits(selection.typeCondition?.name.value)) visit(selection.selectionSet);
      } else if (!visited.has(selection.name.value)) {
        visited.add(selection.name.value);
        const fragment = walk.info.fragments[selection.name.value];
        if (fits(fragment?.typeCondition.name.value)) visit(fragment?.selectionSet);
      }
    }
  };
  for (const node of nodes) visit(node.selectionSet);
  return selected;
}

/** The columns that the selected fields of a record need. */
function columnsOf(definition: RecordDefinition, selected: Selected): Set<string> {
  const columns = new Set<string>();
  const add = (...names: string[]) => names.forEach((name) => columns.add(name));
  const company = definition.role === 'company';
  for (const name of selected.keys()) {
    const relation = definition.relations[name];
    if (relation?.kind === 'one' || relation?.kind === 'referenced') {
      add('svcCompanyId', 'connectionId', relation.by);
    } else if (relation?.kind === 'oneOfType') {
      add('svcCompanyId', 'connectionId', relation.type, relation.by);
    } else if (relation?.kind === 'coded') add('svcCompanyId', relation.by);
    else if (relation?.kind === 'many') add('svcCompanyId', 'connectionId', 'platformId');
    else if (relation?.kind === 'lines') add('svcCompanyId', 'svcId');
    else if (relation?.kind === 'embedded') add(...Object.values(relation.fields));
    else if (relation?.kind === 'linesOf') {
      const of = definition.relations[relation.of];
      add('svcCompanyId', 'svcId', 'connectionId', ...(of?.kind === 'one' ? [of.by] : []));
    } else if (Object.hasOwn(definition.fields, name)) add(name);
    else if (name === 'history') add('svcCompanyId', 'svcId');
    else if (name === 'customFields') add('customFields');
    else if (name === 'fields') add('svcCompanyId', 'svcId', 'svcIntegrationType');
    else if (name === 'connection') add('svcCompanyId', 'connectionId');
    else if (name === 'company') add('svcCompanyId');
    else if (name === 'id' && !company) add('svcCompanyId', 'svcId');
  }
  // A company's lists need its id, and a select list must not be empty.
  if (company || columns.size === 0) add('svcId');
  return columns;
}

function needOf(definition: RecordDefinition, selected: Selected): Need {
  const columns = columnsOf(definition, selected);
  return { definition, columns, key: `${definition.model}(${[...columns].sort().join()})` };
}

/** Plans by the record type: one field may lead to records of several types, as `node` does. */
type OfField<Plan> = Map<RecordDefinition, Plan>;

interface Plans<Plan> {
  /** Plans by field node, valid in every execution of its document; the AST node is the key. */
  readonly constant: WeakMap<FieldNode, OfField<Plan>>;
  /**
   * Plans of one execution, identified by its variables object, by merged field nodes. Both executors share these
   * objects between all rows: otherwise the whole selection would be walked once per row.
   */
  readonly executions: WeakMap<object, WeakMap<readonly FieldNode[], OfField<Plan>>>;
}

const createPlans = <Plan>(): Plans<Plan> => ({ constant: new WeakMap(), executions: new WeakMap() });
const needs = createPlans<Need>();
const listNeeds = createPlans<ListNeed>();

/** The reads of a record field (or of a list of records without pages). */
export function recordNeed(definition: RecordDefinition, info: GraphQLResolveInfo): Need {
  return memoize(needs, definition, info, (walk) => needOf(definition, selectedBelow(info.fieldNodes, walk)));
}

/** The reads of a Relay connection field. */
export function listNeed(definition: RecordDefinition, info: GraphQLResolveInfo): ListNeed {
  return memoize(listNeeds, definition, info, (walk) => {
    const selected = selectedBelow(info.fieldNodes, walk);
    const edges = selectedBelow(selected.get('edges') ?? [], walk);
    const nodes = [...(selected.get('nodes') ?? []), ...(edges.get('node') ?? [])];
    const need = needOf(definition, selectedBelow(nodes, walk));
    const parts = {
      edges: selected.has('edges'),
      cursors: edges.has('cursor'),
      pageInfo: selected.has('pageInfo'),
      rows: selected.has('edges') || selected.has('nodes') || selected.has('pageInfo'),
      totalCount: selected.has('totalCount'),
      lastSyncedAt: selected.has('lastSyncedAt'),
      changePosition: selected.has('changePosition'),
    };
    return { ...need, ...parts, key: `${need.key} ${Object.values(parts).map(Number).join('')}` };
  });
}

/** Makes a plan once: for its field node, or for this execution if variables or merged field nodes are part of it. */
function memoize<Plan extends Need>(
  { constant, executions }: Plans<Plan>,
  definition: RecordDefinition,
  info: GraphQLResolveInfo,
  make: (walk: Walk) => Plan,
): Plan {
  const { fieldNodes, variableValues } = info;
  const only = fieldNodes.length === 1 ? fieldNodes[0] : undefined;
  const known =
    (only && constant.get(only)?.get(definition)) ??
    executions.get(variableValues)?.get(fieldNodes)?.get(definition);
  if (known) return known;
  const walk = { info, model: definition.model, constant: true };
  const plan = make(walk);
  if (only && walk.constant) entry(constant, only).set(definition, plan);
  else {
    let execution = executions.get(variableValues);
    if (!execution) executions.set(variableValues, (execution = new WeakMap()));
    entry(execution, fieldNodes).set(definition, plan);
  }
  return plan;
}

function entry<Key extends object, Plan>(plans: WeakMap<Key, OfField<Plan>>, key: Key): OfField<Plan> {
  let found = plans.get(key);
  if (!found) plans.set(key, (found = new Map<RecordDefinition, Plan>()));
  return found;
}
