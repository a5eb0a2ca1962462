import { inCapitals } from '../../base/names.js';
import { type FieldPath, invalid } from '../../errors.js';
import type { Limits } from '../../limits.js';
import { coerceOperand } from '../../query/filters/coerce.js';
import { isSortable, operatorsOf } from '../../query/filters/kinds.js';
import type { RecordDefinition } from '../../records/define.js';
import type { Field } from '../../records/fields.js';
import { parseBoolean } from '../../base/values.js';
import { relationProblem } from './relation-names.js';

/** A record type's fields by their wire names. */
export interface Names {
  readonly byWire: ReadonlyMap<string, { readonly name: string; readonly field: Field }>;
  readonly definition: RecordDefinition;
}

const known = new WeakMap<RecordDefinition, Names>();

export function namesOf(definition: RecordDefinition): Names {
  let names = known.get(definition);
  if (!names) {
    const entries = Object.entries(definition.fields).filter(
      ([, { shown }]) => shown === 'everywhere' || shown === 'all',
    );
    const byWire = new Map(entries.map(([name, field]) => [field.wire, { name, field }]));
    known.set(definition, (names = { byWire, definition }));
  }
  return names;
}

/** Reference G7: `neq` is another name of `ne`. */
const ALIASES: ReadonlyMap<string, string> = new Map([
  ['neq', 'ne'],
  ['not_in', 'notIn'],
  ['is_null', 'isNull'],
  ['starts_with', 'startsWith'],
]);

/** A field's operators here: `eq` of a list is another name of `contains`. */
export const operatorNames = (field: Field): readonly string[] =>
  field.kind === 'textList' ? ['eq', ...operatorsOf(field)] : operatorsOf(field);

/** One comparison in GraphQL's terms, its value checked. `path` names it in errors. */
export function parseOperator(
  field: Field,
  operator: string,
  value: unknown,
  { path, limits }: { readonly path: FieldPath; readonly limits: Limits },
): [string, unknown] {
  const known = ALIASES.get(operator) ?? operator;
  const allowed = operatorNames(field);
  if (!allowed.includes(known)) {
    throw invalid(path, `is not an operator: ${field.wire} takes ${allowed.join(', ') || 'none'}`);
  }
  const name = field.kind === 'textList' && known === 'eq' ? 'contains' : known;
  if (name === 'isNull') return [name, parseBoolean(value, path)];
  if (name === 'in' || name === 'notIn') {
    if (!Array.isArray(value)) throw invalid(path, 'must be a list of values');
    if (value.length > limits.filterValues) {
      throw invalid(path, `accepts at most ${limits.filterValues} values, got ${value.length}`);
    }
    return [name, value.map((one) => coerceOperand(field, one, path))];
  }
  if (value === null && (name === 'eq' || name === 'ne')) return [name, null];
  return [name, coerceOperand(field, value, path)];
}

/** Values by names that callers choose: without a prototype, which `__proto__` would replace. */
export const byName = <Value>(): Record<string, Value> => Object.create(null) as Record<string, Value>;

/** Adds a comparison to those of its field. Throws if it comes under another name of the same operator. */
export function addComparison(
  comparisons: Record<string, unknown>,
  [operator, value]: readonly [string, unknown],
  path: FieldPath,
): void {
  if (operator in comparisons) throw invalid(path, `is the operator ${operator} again: name it once`);
  comparisons[operator] = value;
}

/** Filters by values in `raw_data`, by wire name. */
export const RAW_FILTERS: ReadonlyMap<string, string> = new Map([
  ['fields', 'fields'],
  ['custom_fields', 'customFields'],
]);

/** The same for a mapped field of the organisation: its values are checked where its type is known. */
export function parseMappedOperator(
  operator: string,
  value: unknown,
  { path, limits }: { readonly path: FieldPath; readonly limits: Limits },
): [string, unknown] {
  const name = ALIASES.get(operator) ?? operator;
  if (name === 'isNull') return [name, parseBoolean(value, path)];
  if (Array.isArray(value) && value.length > limits.filterValues) {
    throw invalid(path, `accepts at most ${limits.filterValues} values, got ${value.length}`);
  }
  return [name, value];
}

/** A field that lists can be sorted by, as GraphQL's orders name it. */
export function parseOrderField(names: Names, wire: string, path: FieldPath): string {
  const found = names.byWire.get(wire);
  if (found && isSortable(found.field.kind)) return inCapitals(found.name);
  const problem = relationProblem(names.definition, wire, 'sort');
  if (problem !== null) throw invalid(path, problem);
  const sortable = [...names.byWire.values()].filter(({ field }) => isSortable(field.kind));
  throw invalid(path, `is not a field to sort by; use ${sortable.map(({ field }) => field.wire).join(', ')}`);
}
