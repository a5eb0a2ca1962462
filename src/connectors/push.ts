import type { z } from 'zod';

import type { WriteProblem, WriteWarning } from '../errors.js';
import type { RecordDefinition } from '../records/define.js';
import type { ChangedObjects, LookupNeed, PlatformClient, PlatformObject } from './connector.js';
import { itemOf, text } from './inputs/fields.js';
import { type NamedRecord, recordsNamedIn } from './inputs/schema.js';

/** What is known here about the records that an item names. */
export interface References {
  /** `field` of the record of `dataModel` with this platform id, as text; null where it is not known. */
  valueOf(dataModel: string, field: string, platformId: string): string | null;
  /** What the platform sent at a place of it, `SalesTerm.value`, as text; null where there is nothing. */
  rawValueOf(dataModel: string, place: string, platformId: string): string | null;
}

export interface WriteTools {
  readonly references: References;
  /** Stands in what is created, where the platform keeps such a text: it is found by it again. */
  readonly marker: string;
  /** What a form `readsCurrent`: the object as the platform has it; null elsewhere, and in plans of what would be sent. */
  readonly current: PlatformObject | null;
}

/** A write as the platform gets it, below its API's address. It is stored before it is sent, as JSON. */
export interface WriteRequest {
  readonly method: 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** Names in lower case: `if-match`. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Null where there is none, or the item's file is the body. */
  readonly body: PlatformObject | null;
  /** How the body is written; JSON when absent. In forms, parts of an object are `address[city]`, items of a list `lines[0]`. */
  readonly encoding?: 'json' | 'form' | 'multipart' | 'raw';
  /** The body of `raw`. */
  readonly text?: string;
  /** The part of `multipart` that is the item's file. */
  readonly file?: { readonly field: string; readonly name: string };
  /** What the file or the text is, for the header. */
  readonly contentType?: string;
}

/** One way of writing a record type: what an item may hold, and the request that comes of it. */
export interface WriteForm {
  /** Items as REST names their fields. What they give is decimals and days as text, without nulls. */
  readonly input: z.ZodObject;
  /** Records that an item names by more than a field of it; `input` knows the others. */
  readonly names?: (item: Readonly<Record<string, unknown>>) => readonly NamedRecord[];
  /**
   * Whether the object is read at the platform right before, for what the request must repeat of it, such as its version, or
   * says otherwise because of it. Absent where it never is.
   */
  readonly readsCurrent?: (item: Readonly<Record<string, unknown>>) => boolean;
  /** What the platform keeps otherwise than the item says it, where it takes it all the same. Pure. */
  readonly warnings?: (item: Readonly<Record<string, unknown>>) => readonly WriteWarning[];
  /** Pure. */
  toRequest(item: Readonly<Record<string, unknown>>, tools: WriteTools): WriteRequest;
  /**
   * What must follow once the platform has the object that `written` found, in order: after a crash all of it is sent
   * again, so each must come to the same however often it is carried out. Pure.
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

/** Ties a form's request to what its items hold. */
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

/** What stands for no object: at its end, an address with it is that of the whole list. */
const NO_ID = /^(\s*|\.{1,2})$/;

/**
 * How a connector's resource carries out an operation; null where it does not. Every change may name the version that it
 * is based on: that is compared before anything is sent, and no connector sees it.
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
        context.addIssue({ code: 'custom', path: ['platform_id'], message: 'is needed', params });
      });
    const toRequest: WriteForm['toRequest'] = ({ expected_version: _version, ...item }, tools) =>
      form.toRequest(item, tools);
    conditional.set(form, (made = { ...form, input, toRequest }));
  }
  return made;
}

/** The version that an item of a change is based on; null where it names none. */
export const expectedVersionOf = (item: Readonly<Record<string, unknown>>): string | null =>
  typeof item['expected_version'] === 'string' ? item['expected_version'] : null;

/** What `toRequest` asks about records of this type. */
export type ReferenceNeed = FieldNeed | RawNeed;

interface FieldNeed extends LookupNeed {
  /** The field holds the platform id of another record, of this type: what is asked about that one is read too. */
  readonly names?: string;
}

/** A place in what the platform sent, `SalesTerm.value`. */
interface RawNeed {
  readonly dataModel: string;
  readonly raw: string;
}

/** What is looked for: a write that may have been carried out. */
export interface LostWrite {
  readonly marker: string;
  readonly item: Readonly<Record<string, unknown>>;
  /** The platform id of what it has made for certain: only another one is looked for. */
  readonly besides?: string;
}

/**
 * How several new objects of a type are made by one request, where the platform says of each what became of it. Their form
 * has nothing that follows and is not read back.
 */
export interface WriteBatch {
  /** Most objects in a request. */
  readonly most: number;
  /** Whether requests for a path can be joined. */
  isFor(path: string): boolean;
  /** One request for all, which are for the same path, in their order: the same for the same ones. Pure. */
  join(requests: readonly WriteRequest[]): WriteRequest;
  /** What became of each, in their order; null where the answer does not say that. */
  results(answer: PlatformObject, requests: readonly WriteRequest[]): readonly BatchResult[] | null;
}

/** What became of an object of a batch. */
export type BatchResult = { readonly object: PlatformObject } | { readonly refused: RefusedWrite };

/** How a connector writes one record type. What the platform answers is read by the mapper of its pull. */
export interface PushResource {
  readonly definition: RecordDefinition;
  readonly create: WriteForm | null;
  readonly update: WriteForm | null;
  /** Where several can be created by one request. */
  readonly batch?: WriteBatch;
  /** What `toRequest` asks about the records that an item names. */
  readonly reads: readonly ReferenceNeed[];
  /** The object in the answer to a write; null where there is none. */
  written(answer: PlatformObject): PlatformObject | null;
  /** What the platform says of what it did otherwise than it was asked, in the object that it answered. */
  readonly warned?: (written: PlatformObject) => readonly WriteWarning[];
  /** What a write has made, by its marker or by what was asked for; null where there is no such thing. */
  readonly find?: (client: PlatformClient, lost: LostWrite) => Promise<PlatformObject | null>;
  /** The whole of what was written, where the platform's answer is less, read after all that follows. */
  readonly readBack?: (client: PlatformClient, written: PlatformObject) => Promise<PlatformObject>;
  /**
   * What the platform changes along with what is written, of the records that its item names or beside them: it is read
   * once that is done. Absent where that is nothing.
   */
  readonly changesAlong?: (named: readonly NamedRecord[]) => ChangedObjects;
  /** Why the platform refused a request of this type; `conflict` where it says that `current` is no longer so. */
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

/** A platform's refusal, whatever its status; its body where it is a JSON object. */
export interface RefusedWrite {
  readonly status: number;
  readonly body: PlatformObject | null;
  readonly text: string;
}

/** What a connector can write, and how the platform keeps a write from being carried out twice. */
export interface PushScheme {
  /** Where a key stands with which the platform carries a request out once, and how long it remembers it. */
  readonly idempotencyKey: {
    readonly in: 'header' | 'query' | 'body';
    readonly name: string;
    readonly hours: number;
  } | null;
  readonly resources: readonly PushResource[];
}
