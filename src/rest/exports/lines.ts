import type { RecordDefinition } from '../../records/index.js';
import { expandable } from '../shape.js';

/** A relation to lines that belong to the record. */
interface LineRelation {
  /** GraphQL name. */
  readonly name: string;
  readonly wire: string;
  /** Whether lists show it only where `expand` names it. */
  readonly isExpanded: boolean;
}

/** The lines that a record of REST can show; an export shows all of them. */
export function linesOf(definition: RecordDefinition): LineRelation[] {
  const expanded = new Set(expandable(definition).values());
  return Object.entries(definition.relations).flatMap(([name, relation]): LineRelation[] => {
    const isExpanded = expanded.has(name);
    const isShown = isExpanded || Object.hasOwn(definition.rest.always ?? {}, name);
    if (relation.kind !== 'lines' || !isShown) return [];
    return [{ name, wire: relation.wire, isExpanded }];
  });
}
