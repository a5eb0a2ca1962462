import { expectedVersionOf, recordsNamed, type WriteForm } from '../connectors/push.js';
import type { ItemRow } from './item-state.js';
import { inputOf } from './send-item.js';

/** Records whose state a write changes that names them. */
const CHANGED_BY_OTHERS: ReadonlySet<string> = new Set([
  'BILLS',
  'BILL_CREDIT_NOTES',
  'INVOICES',
  'INVOICE_CREDIT_NOTES',
  'ORDERS',
  'PURCHASE_ORDERS',
]);
/** Fields by which two items are about the same record, or only one of them can be taken. */
const OWN = ['platform_id', 'document_number', 'name', 'code', 'sku'];

/**
 * The items at the head that may be sent at once, so that what is about the same record comes in its order; one that expects
 * a version goes by itself, so that nothing comes between the comparison and its request.
 */
export function pickItems(
  form: Pick<WriteForm, 'input' | 'names'>,
  items: readonly ItemRow[],
): readonly ItemRow[] {
  const seen = new Set<string>();
  for (const [index, item] of items.entries()) {
    const input = inputOf(item);
    if (expectedVersionOf(input) !== null) return items.slice(0, Math.max(1, index));
    const subjects = new Set([...ownSubjects(input), ...namedSubjects(form, input)]);
    for (const subject of subjects) if (seen.has(subject)) return items.slice(0, index);
    for (const subject of subjects) seen.add(subject);
  }
  return items;
}

const ownSubjects = (input: Readonly<Record<string, unknown>>): string[] =>
  OWN.filter((field) => typeof input[field] === 'string').map((field) => `${field} ${String(input[field])}`);

const namedSubjects = (
  form: Pick<WriteForm, 'input' | 'names'>,
  input: Readonly<Record<string, unknown>>,
): string[] =>
  recordsNamed(form, input)
    .filter(({ dataModel }) => CHANGED_BY_OTHERS.has(dataModel))
    .map(({ dataModel, platformId }) => `${dataModel} ${platformId}`);
