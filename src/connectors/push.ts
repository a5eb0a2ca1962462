import type { z } from 'zod';

import type { WriteProblem, WriteWarning } from '../errors.js';
import type { RecordDefinition } from '../records/define.js';
import type { ChangedObjects } from './hooks.js';
import type { PlatformClient, PlatformObject } from './platform.js';
import type { LookupNeed } from './pull.js';
import { itemOf, text } from './inputs/fields.js';
import { type NamedRecord, recordsNamedIn } from './inputs/schema.js';

/** Stored values of the records that an item refers to. */
export interface References {
  /** `field` of the record of `dataModel` with this platform id, as text; null if unknown. */
  valueOf(dataModel: string, field: string, platformId: string): string | null;
  /** The value at a place in its raw data, such as `SalesTerm.value`, as text; null if absent. */
  rawValueOf(dataModel: string, place: string, platformId: string): string | null;
}

export interface WriteTools {
  readonly references: References;
  /** Put into created objects, if the platform stores such a text, to find them again. */
  readonly marker: string;
  /** For a form that `readsCurrent`: the platform's current object; null otherwise, and in dry runs. */
  readonly current: PlatformObject | null;
}

/** A write request to the platform, below its API's address. Stored as JSON before it is sent. */
export interface WriteRequest {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Names in lower case: `if-match`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Null if there is none, or the item's file is the body. */
  readonly body: PlatformObject | null;
  /** Encoding of the body, by default JSON. In forms, nested fields are `address[city]`, items of a list `lines[0]`. */
  readonly encoding?: 'json' | 'form' | 'multipart' | 'raw';
  /** The body of `raw`. */
  readonly text?: string;
  /** The part of `multipart` that is the item's file. */
  readonly file?: { readonly field: string; readonly name: string };
  /** Content type of the file or text. */
  readonly contentType?: string;
}

/** A body of the defined fields, over extra fields of the platform. */
export function bodyOf(extra: PlatformObject | undefined, fields: PlatformObject): PlatformObject {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined);
  return { ...extra, ...Object.fromEntries(given) };
}

/** A way of writing a record type: an item's fields, and the resulting request. */
export interface WriteForm {
  /** Items with their REST field names. When parsed, decimals and days are text, and nulls are gone. */
  readonly input: z.ZodObject;
  /** Records that an item names by several fields together; `input` knows the others. */
  readonly names?: (item: Readonly<Record<string, unknown>>) => readonly NamedRecord[];
  /**
   * Whether the object is read at the platform right before, because the request must repeat parts of it, such as its
   * version, or depends on it. Absent: never.
   */
  readonly readsCurrent?: (item: Readonly<Record<string, unknown>>) => boolean;
  /** Warnings about values that the platform accepts but stores differently. Pure. */
  readonly warnings?: (item: Readonly<Record<string, unknown>>) => readonly WriteWarning[];
  /** Pure. */
  toRequest(item: Readonly<Record<string, unknown>>, tools: WriteTools): WriteRequest;
  /**
   * Requests that follow, in order, once the platform has the object that `written` found: after a crash all are sent
   * again, so each must be idempotent. Pure.
   */
  readonly follow?: (
    item: Readonly<Record<string, unknown>>,
    written: PlatformObject,
  ) => readonly WriteRequest[];
}

/** The records that an item names by platform id. */
export const recordsNamed = (
  { input, names }: Pick<WriteForm, 'input' | 'names'>,
  item: Readonly<Record<string, unknown>>,
): NamedRecord[] => [...recordsNamedIn(input, item), ...(names?.(item) ?? [])];

/** Types a form's requests by its input. */
export function writeForm<Input extends z.ZodObject>(
  input: Input,
  toRequest: (item: z.output<Input>, tools: WriteTools) => WriteRequest,
  follow?: (item: z.output<Input>, written: PlatformObject) => readonly WriteRequest[],
): WriteForm {
  return {
    input,
    toRequest: (item, tools) => toRequest(item as z.output<Input>, tools),
    ...(follow && { follow: (item, written) => follow(item as z.output<Input>, written) }),
  };
}

export type WriteOperation = 'CREATE' | 'UPDATE';

const conditional = new WeakMap<WriteForm, WriteForm>();

/** Ids that identify no object: a URL that ends with one is that of the whole list. */
const NO_ID = /^(\s*|\.{1,2})$/;

/**
 * How a connector's resource carries out an operation; null if unsupported. Every change may name the version that it
 * is based on: it is checked before anything is sent, and connectors do not see it.
 */
export function formOf(
  resource: Pick<PushResource, 'create' | 'update'> | undefined,
  operation: WriteOperation,
): WriteForm | null {
  if (operation === 'CREATE') return resource?.create ?? null;
  const form = resource?.update;
  if (!form) return null;
  let made = conditional.get(form);
  if (!made) {
    const input = form.input
      .safeExtend(itemOf({ expected_version: text(200) }).shape)
      .superRefine(({ platform_id: id }, context) => {
        if (typeof id !== 'string' || !NO_ID.test(id)) return;
        const params = { missing: true };
        context.addIssue({ code: 'custom', path: ['platform_id'], message: 'it is required', params });
      });
    const toRequest: WriteForm['toRequest'] = ({ expected_version: _version, ...item }, tools) =>
      form.toRequest(item, tools);
    conditional.set(form, (made = { ...form, input, toRequest }));
  }
  return made;
}

/** The version that a change's item is based on; null if it names none. */
export const expectedVersionOf = (item: Readonly<Record<string, unknown>>): string | null =>
  typeof item['expected_version'] === 'string' ? item['expected_version'] : null;

/** A value of referenced records that `toRequest` reads. */
export type ReferenceNeed = FieldNeed | RawNeed;

interface FieldNeed extends LookupNeed {
  /** If the field holds the platform id of another record, its type: values needed of that record are read too. */
  readonly names?: string;
  /** A field by which items may name the record as well, such as its code. */
  readonly by?: string;
}

/** A place in the raw data, such as `SalesTerm.value`. */
interface RawNeed {
  readonly dataModel: string;
  readonly raw: string;
}

/** A write to look for, which may have been carried out. */
export interface LostWrite {
  readonly marker: string;
  readonly item: Readonly<Record<string, unknown>>;
  /** The platform id of the object that it certainly created: only a duplicate is searched for. */
  readonly besides?: string;
}

/**
 * How to create several objects of a type by one request, if the platform reports a result for each. Their form has no
 * follow-up requests and is not read back.
 */
export interface WriteBatch {
  /** Maximum objects per request. */
  readonly most: number;
  /** Whether requests for a path can be joined. */
  isFor(path: string): boolean;
  /** Joins requests for the same path into one, in order and deterministically. Pure. */
  join(requests: readonly WriteRequest[]): WriteRequest;
  /** The result of each, in order; null if the response does not report them. */
  results(answer: PlatformObject, requests: readonly WriteRequest[]): readonly BatchResult[] | null;
}

/** The result of an object of a batch. */
export type BatchResult = { readonly object: PlatformObject } | { readonly refused: RefusedWrite };

/** How a connector writes one record type. The pull's mapper reads the platform's response. */
export interface PushResource {
  readonly definition: RecordDefinition;
  readonly create: WriteForm | null;
  readonly update: WriteForm | null;
  /** If several can be created by one request. */
  readonly batch?: WriteBatch;
  /** The values that `toRequest` reads of the records that an item names. */
  readonly reads: readonly ReferenceNeed[];
  /** The object in the response to a write; null if there is none. A request may say what its response does not. */
  written(answer: PlatformObject, request: WriteRequest): PlatformObject | null;
  /** Warnings in the platform's response about differences from the request. */
  readonly warned?: (written: PlatformObject) => readonly WriteWarning[];
  /** Finds the object that a write created, by its marker or values; null if there is none. */
  readonly find?: (client: PlatformClient, lost: LostWrite) => Promise<PlatformObject | null>;
  /** Reads the whole written object, if the response is partial, after all follow-up requests. */
  readonly readBack?: (client: PlatformClient, written: PlatformObject) => Promise<PlatformObject>;
  /**
   * Other records that the platform changes along with the write, referred to by the item or not: they are read
   * afterwards. Absent if there are none.
   */
  readonly changesAlong?: (named: readonly NamedRecord[]) => ChangedObjects;
  /** Why the platform refused a request of this type; `conflict` if `current` is outdated. */
  refusal(answer: RefusedWrite): WriteProblem;
}

/** Records of these types that an item names are changed along with it. */
export const changesNamed =
  (...dataModels: readonly string[]): NonNullable<PushResource['changesAlong']> =>
  (named) => {
    const changed = new Map<string, string[]>();
    for (const { dataModel, platformId } of named) {
      if (dataModels.includes(dataModel))
        changed.set(dataModel, [...(changed.get(dataModel) ?? []), platformId]);
    }
    return changed;
  };

/** A platform's refusal, whatever its status, with its body if it is a JSON object. */
export interface RefusedWrite {
  readonly status: number;
  readonly body: PlatformObject | null;
  readonly text: string;
}

/** A connector's supported writes, and how the platform prevents duplicate writes. */
export interface PushScheme {
  /** Place of the idempotency key in requests, and how long the platform remembers it. */
  readonly idempotencyKey: {
    readonly in: 'header' | 'query' | 'body';
    readonly name: string;
    readonly hours: number;
  } | null;
  readonly resources: readonly PushResource[];
}
