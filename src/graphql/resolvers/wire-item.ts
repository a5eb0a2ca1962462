import { inSnakeCase } from '../../base/names.js';

/**
 * An item of a typed mutation in the names of REST, in which connectors take it: `journalLines[0].accountId` is
 * `journal_lines[0].account_id`. What the platform's own fields are called stays.
 */
export function toWireItem(item: unknown): unknown {
  if (Array.isArray(item)) return item.map(toWireItem);
  if (typeof item !== 'object' || item === null) return item;
  return Object.fromEntries(
    Object.entries(item).map(([name, value]) =>
      name === 'rawData' ? ['raw_data', value] : [inSnakeCase(name), toWireItem(value)],
    ),
  );
}
