import { type z } from 'zod';

import { type RecordDefinition } from '../../../records/define.js';
import { type PlatformObject } from '../../connector.js';
import {
  type PushResource,
  type ReferenceNeed,
  type WriteForm,
  writeForm,
  type WriteRequest,
  type WriteTools,
} from '../../push.js';
import { arrayOf, objectOf } from '../../platform-values.js';
import { FULL_PRICES } from '../listings.js';
import { REFERENCE_NEEDS } from './references.js';
import { refusalOf, type Subjects } from './refusal.js';

interface XeroPush {
  readonly definition: RecordDefinition;
  /** What the answer may hold the object in. */
  readonly lists: readonly string[];
  readonly create: WriteForm;
  readonly update?: WriteForm | undefined;
  /** What Xero's words are about, in our names, the most telling first. */
  readonly subjects: Subjects;
  readonly reads?: readonly ReferenceNeed[] | undefined;
}

/**
 * A record type that Xero takes. Nothing that it keeps is both ours to fill in and found again by an exact search:
 * only the key tells whether a write was carried out.
 */
export function xeroPush({
  definition,
  lists,
  create,
  update,
  subjects,
  reads = [],
}: XeroPush): PushResource {
  return {
    definition,
    create,
    update: update ?? null,
    reads: [...REFERENCE_NEEDS, ...reads],
    written: (answer) => objectIn(answer, lists),
    refusal: (answer) => refusalOf(answer, subjects),
  };
}

function objectIn(answer: PlatformObject, lists: readonly string[]): PlatformObject | null {
  const [object] = lists.flatMap((list) => arrayOf(answer[list]) ?? []).map(objectOf);
  return object ?? null;
}

/** Lists whose objects have unit prices, of which Xero keeps two digits after the point unless it is told of four. */
const PRICED: ReadonlySet<string> = new Set(['Invoices', 'CreditNotes', 'Items', 'BankTransactions']);

const pricesIn = (list: string): Readonly<Record<string, string>> => (PRICED.has(list) ? FULL_PRICES : {});

/** Makes one object: with PUT, which never changes one that is there. A list answers 400 where it is refused. */
export function createIn(list: string, object: PlatformObject): WriteRequest {
  const query = { ...pricesIn(list), summarizeErrors: 'true' };
  return { method: 'PUT', path: `/${list}`, query, body: { [list]: [object] } };
}

/** Changes what the object has. */
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
