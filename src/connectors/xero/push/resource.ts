import { type z } from 'zod';

import { type WriteWarning } from '../../../errors.js';
import { type RecordDefinition } from '../../../records/define.js';
import { type PlatformObject } from '../../platform.js';
import { stringifyPlatformJson } from '../../values/platform-json.js';
import {
  type BatchResult,
  type PushResource,
  type ReferenceNeed,
  type WriteBatch,
  type WriteForm,
  writeForm,
  type WriteRequest,
  type WriteTools,
} from '../../push.js';
import { arrayOf, objectOf, objectsIn, textOf } from '../../values/platform-values.js';
import { isRefused } from '../answers.js';
import { XERO_TITLE } from '../client.js';
import { FULL_PRICES } from '../listings.js';
import { REFERENCE_NEEDS } from './references.js';
import { refusalOf, type Subjects, warningsIn } from './refusal.js';
import { roundings } from './roundings.js';

interface XeroPush {
  readonly definition: RecordDefinition;
  /** Lists of the response that may contain the object. */
  readonly lists: readonly string[];
  readonly create: WriteForm;
  readonly update?: WriteForm | undefined;
  /** Item fields by patterns of Xero's messages, the most specific first. */
  readonly subjects: Subjects;
  /** Item field of the id in the path; by default that of the record, which only updates have there. */
  readonly idInPath?: string;
  readonly reads?: readonly ReferenceNeed[] | undefined;
  readonly changesAlong?: PushResource['changesAlong'];
}

/**
 * A record type that can be written to Xero. No field is both free for us to set and searchable by exact value, so only
 * the idempotency key tells whether a write was carried out.
 */
export function xeroPush({
  definition,
  lists,
  create,
  update,
  subjects,
  idInPath = 'platform_id',
  reads = [],
  changesAlong,
}: XeroPush): PushResource {
  const rounded = roundings(lists.some((list) => PRICED.has(list)) ? FULL_DIGITS : CENT_DIGITS);
  const warned = (form: WriteForm): WriteForm => ({
    ...form,
    warnings: (item) => {
      const own = form.warnings?.(item) ?? [];
      const isNamed = ({ path }: WriteWarning) => own.some((one) => String(one.path) === String(path));
      return [...own, ...rounded(item).filter((one) => !isNamed(one))];
    },
  });
  return {
    definition,
    create: warned(create),
    update: update ? warned(update) : null,
    reads: [...REFERENCE_NEEDS, ...reads],
    ...(lists.some((list) => TAKES_SEVERAL.has(list)) && { batch: BATCH }),
    ...(changesAlong && { changesAlong }),
    written: (answer) => objectIn(answer, lists),
    warned: (object) =>
      warningsIn(object).map((words) => ({ words: `${XERO_TITLE} says: ${words}`, path: [] })),
    refusal: (answer) => refusalOf(answer, subjects, idInPath),
  };
}

function objectIn(answer: PlatformObject, lists: readonly string[]): PlatformObject | null {
  const [object] = lists.flatMap((list) => arrayOf(answer[list]) ?? []).map(objectOf);
  return object ?? null;
}

/** Lists that accept several objects and report the result of each. */
const TAKES_SEVERAL: ReadonlySet<string> = new Set([
  'BankTransactions',
  'Contacts',
  'CreditNotes',
  'Invoices',
  'Items',
  'ManualJournals',
  'Payments',
  'PurchaseOrders',
]);
/** Fields that identify an object in the response as the sent one. */
const NAMES = ['InvoiceNumber', 'CreditNoteNumber', 'PurchaseOrderNumber', 'Name', 'Code'];
/** Recommended by Xero. */
const MAX_BATCH_SIZE = 50;

const listOfPath = (path: string): string => path.slice(1);
const sentIn = ({ path, body }: WriteRequest): PlatformObject[] => objectsIn(body?.[listOfPath(path)]);

const BATCH: WriteBatch = {
  most: MAX_BATCH_SIZE,
  isFor: (path) => TAKES_SEVERAL.has(listOfPath(path)),
  join: (requests) => {
    const [first] = requests;
    if (!first) throw new Error('a batch of nothing');
    const query = { ...first.query, summarizeErrors: 'false' };
    return { ...first, query, body: { [listOfPath(first.path)]: requests.flatMap(sentIn) } };
  },
  results: (answer, requests) => {
    const list = listOfPath(requests[0]?.path ?? '');
    const objects = (arrayOf(answer[list]) ?? []).map(objectOf);
    const results = objects.flatMap((object, index) => {
      const request = requests[index];
      const [sent] = request ? sentIn(request) : [];
      return object && sent && isOf(object, sent) ? [resultOf(list, object)] : [];
    });
    return results.length === requests.length ? results : null;
  },
};

/** Whether an object in the response matches the one sent at its position. */
const isOf = (object: PlatformObject, sent: PlatformObject): boolean =>
  NAMES.every((name) => {
    const [asked, answered] = [sent, object].map((one) =>
      textOf(one[name])?.replace(/\s+/g, '').toLowerCase(),
    );
    return asked === undefined || answered === undefined || asked === answered;
  });

function resultOf(list: string, object: PlatformObject): BatchResult {
  if (!isRefused(list, object)) return { object };
  const body = { [list]: [object] };
  return { refused: { status: 400, body, text: stringifyPlatformJson(body) } };
}

/** Lists whose objects have unit prices. Xero keeps two decimals of them unless four are requested. */
const PRICED: ReadonlySet<string> = new Set(['Invoices', 'CreditNotes', 'Items', 'BankTransactions']);
const CENT_DIGITS = 2;
const FULL_DIGITS = 4;

const pricesIn = (list: string): Readonly<Record<string, string>> => (PRICED.has(list) ? FULL_PRICES : {});

/** Creates one object. PUT never changes an existing one, and `summarizeErrors` makes a refusal a 400. */
export function createIn(list: string, object: PlatformObject): WriteRequest {
  const query = { ...pricesIn(list), summarizeErrors: 'true' };
  return { method: 'PUT', path: `/${list}`, query, body: { [list]: [object] } };
}

/** Updates the fields that the object has. */
function updateIn(list: string, idName: string, id: string, object: PlatformObject): WriteRequest {
  return {
    method: 'POST',
    path: `/${list}/${encodeURIComponent(id)}`,
    query: pricesIn(list),
    body: { [list]: [{ ...object, [idName]: id }] },
  };
}

type ToBody<Item> = (item: Item, tools: WriteTools) => PlatformObject;

export const creating = <Input extends z.ZodObject>(
  list: string,
  input: Input,
  toBody: ToBody<z.output<Input>>,
): WriteForm => writeForm(input, (item, tools) => createIn(list, toBody(item, tools)));

export const updating = <Input extends z.ZodObject<{ platform_id: z.ZodType<string> }>>(
  { list, idName }: { readonly list: string; readonly idName: string },
  input: Input,
  toBody: ToBody<z.output<Input>>,
): WriteForm =>
  writeForm(input, (item, tools) => {
    const id = (item as { readonly platform_id: string }).platform_id;
    return updateIn(list, idName, id, toBody(item, tools));
  });
