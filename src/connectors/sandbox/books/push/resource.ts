import { type RecordDefinition } from '../../../../records/define.js';
import { type PlatformObject } from '../../../platform.js';
import { type LookupNeed } from '../../../pull.js';
import { stringifyPlatformJson } from '../../../values/platform-json.js';
import {
  type BatchResult,
  type PushResource,
  type WriteBatch,
  type WriteForm,
  writeForm,
  type WriteTools,
} from '../../../push.js';
import { objectOf, textOf } from '../../../values/platform-values.js';
import { listOf } from '../../../values/required-values.js';
import { BOOKS_TITLE } from '../client.js';
import { ACCOUNTS_BY_NUMBER, CURRENCIES_BY_CODE, PRODUCTS_BY_SKU, TAXES_BY_CODE } from '../mappers/codes.js';
import { type FieldNames, refusalOf } from './refusal.js';
import { type z } from 'zod';

interface BooksPush {
  readonly definition: RecordDefinition;
  /** The kind at Books. */
  readonly kind: string;
  readonly create: WriteForm;
  readonly update: WriteForm | null;
  /** Item field names of this record type by Books field name. */
  readonly names?: FieldNames | undefined;
  /** Stored values that its body needs besides codes. */
  readonly reads?: readonly LookupNeed[] | undefined;
  readonly readBack?: PushResource['readBack'];
  readonly changesAlong?: PushResource['changesAlong'];
}

const CODES = [
  ACCOUNTS_BY_NUMBER,
  CURRENCIES_BY_CODE,
  PRODUCTS_BY_SKU,
  TAXES_BY_CODE,
  { dataModel: 'TAX_RATES', field: 'effectiveTaxRate', by: 'code' },
];

/** A kind that can be written to Books. */
export function booksPush({
  definition,
  kind,
  create,
  update,
  names = {},
  reads = [],
  readBack,
  changesAlong,
}: BooksPush): PushResource {
  return {
    definition,
    create,
    update,
    reads: [...CODES, ...reads],
    ...(!create.follow && !readBack && { batch: batchOf(kind) }),
    written: (answer) => listOf(BOOKS_TITLE, answer, kind)[0] ?? null,
    find: async (client, { marker, besides }) => {
      const answer = await client.get(`/${kind}`, { query: { reference: marker } });
      const made = listOf(BOOKS_TITLE, answer, kind);
      return made.find(({ Guid }) => Guid !== besides) ?? null;
    },
    ...(readBack && { readBack }),
    ...(changesAlong && { changesAlong }),
    refusal: (answer) => refusalOf(answer, names),
  };
}

const MAX_BATCH_SIZE = 50;

/** Creates several objects of a kind; the response has each object or its error. */
const batchOf = (kind: string): WriteBatch => ({
  most: MAX_BATCH_SIZE,
  isFor: (path) => path === `/${kind}`,
  join: (requests) => ({
    method: 'POST',
    path: `/${kind}/Batch`,
    body: { [kind]: requests.map(({ body }) => body) },
  }),
  results: (answer) => listOf(BOOKS_TITLE, answer, kind).map(resultOf),
});

function resultOf(result: PlatformObject): BatchResult {
  const object = objectOf(result['Object']);
  if (object) return { object };
  const status = Number(textOf(result['Status']));
  return { refused: { status, body: result, text: stringifyPlatformJson(result) } };
}

type ToBody<Item> = (item: Item, tools: WriteTools) => PlatformObject;

/** Creates an object, with the marker as its `Reference`. */
export const creating = <Input extends z.ZodObject>(
  kind: string,
  input: Input,
  toBody: ToBody<z.output<Input>>,
): WriteForm =>
  writeForm(input, (item, tools) => ({
    method: 'POST',
    path: `/${kind}`,
    body: { ...toBody(item, tools), Reference: tools.marker },
  }));

/** An update that Books refuses if the object has changed since it was read. */
export const unlessChanged = (form: WriteForm): WriteForm => ({
  ...form,
  readsCurrent: () => true,
  toRequest: (item, tools) => {
    const request = form.toRequest(item, tools);
    const changedOn = textOf(tools.current?.['ChangedOn']);
    return changedOn === null ? request : { ...request, headers: { 'if-match': changedOn } };
  },
});

/** Updates the fields that the item has. */
export const updating = <Input extends z.ZodObject>(
  kind: string,
  input: Input,
  toBody: ToBody<z.output<Input>>,
): WriteForm =>
  writeForm(input, (item, tools) => ({
    method: 'PUT',
    path: `/${kind}/${encodeURIComponent(String((item as { platform_id?: unknown }).platform_id))}`,
    body: toBody(item, tools),
  }));
