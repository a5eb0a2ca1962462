import type { RecordDefinition } from '../../records/define.js';
import type { Relation } from '../../records/relations.js';

const KINDS: Readonly<Record<Relation['kind'], string>> = {
  one: 'a record',
  oneOfType: 'a record',
  coded: 'a record',
  embedded: 'an object',
  referenced: 'a list of records',
  many: 'a list of records',
  lines: 'a list of objects',
  linesOf: 'a list of objects',
};

/** Why lists are not filtered or sorted by what records have beside fields, and what to name; null for other names. */
export function relationProblem(
  { relations, fields }: RecordDefinition,
  wire: string,
  verb: 'filter' | 'sort',
): string | null {
  const relation = Object.values(relations).find((one) => one.wire === wire);
  if (!relation) return null;
  const is = `is ${KINDS[relation.kind]}`;
  const named = relation.kind === 'one' || (relation.kind === 'referenced' && verb === 'filter');
  const field = named ? fields[relation.by] : undefined;
  if (field?.shown === 'everywhere') return `${is}: ${verb} by ${field.wire}`;
  return `${is}, by which lists cannot be ${verb === 'filter' ? 'filtered' : 'sorted'}`;
}
