import { invalid } from '../../errors.js';
import type { RecordDefinition } from '../../records/define.js';
import { expandable } from '../shape.js';
import type { QueryFields } from './query.js';

/** Metadata that a caller may add to records, by wire name. */
export const SELECTABLE = new Map([
  ['raw_data', 'rawData'],
  ['data_hash', 'dataHash'],
  ['version', 'version'],
  ['fields', 'fields'],
  ['custom_fields', 'customFields'],
]);

/** The names in `expand`: relations, and metadata, which it accepts for one type (Reference G4). By GraphQL name. */
export function parseExpand(
  definition: RecordDefinition,
  given: readonly string[] | null,
): { readonly relations: string[]; readonly metadata: string[] } {
  const wanted = parseNames('expand', given, { allowed: expandable(definition), silently: SELECTABLE });
  const isMetadata = (name: string) => [...SELECTABLE.values()].includes(name);
  return { relations: wanted.filter((name) => !isMetadata(name)), metadata: wanted.filter(isMetadata) };
}

/** Names from a set of allowed ones, sorted. Throws AppError naming the parameter. */
export function parseNames(
  parameter: string,
  given: readonly string[] | null,
  names: { readonly allowed: ReadonlyMap<string, string>; readonly silently?: ReadonlyMap<string, string> },
): string[] {
  const found = new Set<string>();
  for (const wire of given ?? []) {
    const name = names.allowed.get(wire) ?? names.silently?.get(wire);
    if (name === undefined) {
      const choices = [...names.allowed.keys()].join(', ') || 'nothing here';
      throw invalid(parameter, `takes ${choices}; got ${wire.slice(0, 40) || 'an empty name'}`);
    }
    found.add(name);
  }
  return [...found].sort();
}

/** `expand` of lists whose relations are always included: older clients send it. */
export function checkExpand(fields: QueryFields, included: readonly string[]): void {
  const allowed = new Map(included.map((name) => [name, name]));
  parseNames('expand', fields.list('expand'), { allowed });
}
