import { parsePlatformJson } from '../../connectors/values/platform-json.js';
import {
  expectedVersionOf,
  recordsNamed,
  type WriteBatch,
  type WriteForm,
  type WriteRequest,
} from '../../connectors/push.js';
import type { ItemRow } from '../item-state.js';
import { inputOf } from '../sending/send-item.js';

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
 * The items at the head that may be sent together, so that items about the same record keep their order; one that
 * expects a version goes alone, so that nothing comes between the comparison and its request.
 */
export function pickItems(
  form: Pick<WriteForm, 'input' | 'names'>,
  items: readonly ItemRow[],
): readonly ItemRow[] {
  const seen = new Set<string>();
  for (const [index, item] of items.entries()) {
    const input = inputOf(item);
    if (expectedVersionOf(input) !== null) return items.slice(0, Math.max(1, index));
    const subjects = subjectsOf(form, input);
    for (const subject of subjects) if (seen.has(subject)) return items.slice(0, index);
    for (const subject of subjects) seen.add(subject);
  }
  return items;
}

/** Due items, except those about the same record as an earlier item that waits for a retry. */
export function withoutHeld(
  form: Pick<WriteForm, 'input' | 'names'>,
  due: readonly ItemRow[],
  waiting: readonly ItemRow[],
): readonly ItemRow[] {
  if (waiting.length === 0) return due;
  const held = new Set<string>();
  const inOrder = [...due, ...waiting].sort((one, other) => one.svcId - other.svcId);
  return inOrder.filter((item) => {
    const subjects = [...subjectsOf(form, inputOf(item))];
    const isHeld = waiting.includes(item) || subjects.some((subject) => held.has(subject));
    if (isHeld) for (const subject of subjects) held.add(subject);
    return !isHeld;
  });
}

const subjectsOf = (
  form: Pick<WriteForm, 'input' | 'names'>,
  input: Readonly<Record<string, unknown>>,
): ReadonlySet<string> => new Set([...ownSubjects(input), ...namedSubjects(form, input)]);

const ownSubjects = (input: Readonly<Record<string, unknown>>): string[] =>
  OWN.filter((field) => typeof input[field] === 'string').map((field) => `${field} ${String(input[field])}`);

const namedSubjects = (
  form: Pick<WriteForm, 'input' | 'names'>,
  input: Readonly<Record<string, unknown>>,
): string[] =>
  recordsNamed(form, input)
    .filter(({ dataModel }) => CHANGED_BY_OTHERS.has(dataModel))
    .map(({ dataModel, platformId }) => `${dataModel} ${platformId}`);

/** Maximum total length of the bodies of a batch, except for a single one. */
const MAX_BATCH_LENGTH = 1_000_000;

/** Items at the head that are sent in one request: new ones for one path; null if there are fewer than two. */
export function pickBatch<Item extends ItemRow & { readonly request: string }>(
  batch: WriteBatch,
  items: readonly Item[],
  mayBeJoined: (item: Item) => boolean,
): readonly Item[] | null {
  let length = 0;
  let path: string | null = null;
  const end = items.findIndex((item, index) => {
    const isNew = item.firstSentAt === null && item.file === null && mayBeJoined(item);
    const { path: own } = parsePlatformJson(item.request).value as WriteRequest;
    path ??= own;
    length += item.request.length;
    const isLong = index > 0 && length > MAX_BATCH_LENGTH;
    return !isNew || own !== path || !batch.isFor(own) || index === batch.most || isLong;
  });
  const joined = end === -1 ? items : items.slice(0, end);
  return joined.length > 1 ? joined : null;
}
