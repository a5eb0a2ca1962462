import { type RecordDefinition } from '../../../records/define.js';
import { type PlatformObject } from '../../platform.js';
import { rawData } from '../../inputs/fields.js';
import {
  bodyOf,
  type PushResource,
  type ReferenceNeed,
  type WriteForm,
  type WriteRequest,
  type WriteTools,
} from '../../push.js';
import { withContext } from '../../values/platform-json.js';
import { objectOf, textOf } from '../../values/platform-values.js';
import { ENTITY, type QuickBooksKind } from '../kinds.js';
import { refusalOf, type Subjects } from './refusal.js';

interface QuickBooksPush {
  readonly definition: RecordDefinition;
  /** What is written of it. */
  readonly kinds: readonly QuickBooksKind[];
  readonly create: WriteForm;
  readonly update?: WriteForm;
  /** Item fields by patterns of QuickBooks' names and messages, the most specific first. */
  readonly subjects: Subjects;
  readonly reads?: readonly ReferenceNeed[];
  readonly changesAlong?: PushResource['changesAlong'];
  readonly readBack?: PushResource['readBack'];
}

/**
 * A record type that can be written to QuickBooks. No field is free for us to set and searchable by its exact value, so
 * only the key tells whether a write was carried out.
 */
export function quickbooksPush(push: QuickBooksPush): PushResource {
  const { definition, kinds, create, update = null, subjects, reads = [], changesAlong, readBack } = push;
  return {
    definition,
    create,
    update,
    reads,
    ...(changesAlong && { changesAlong }),
    ...(readBack && { readBack }),
    written: (answer) => kinds.flatMap((kind) => writtenIn(answer, kind))[0] ?? null,
    refusal: (answer) => refusalOf(answer, subjects),
  };
}

function writtenIn(answer: PlatformObject, { entity, isMarked }: QuickBooksKind): PlatformObject[] {
  const object = objectOf(answer[entity]);
  if (!object) return [];
  return [isMarked ? withContext(object, { [ENTITY]: entity }) : object];
}

const pathOf = (entity: string): string => `/${entity.toLowerCase()}`;

export const createIn = (entity: string, body: PlatformObject): WriteRequest => ({
  method: 'POST',
  path: pathOf(entity),
  body,
});

interface Change {
  readonly entity: string;
  /** QuickBooks' id. */
  readonly id: string;
  /** Instead of changing fields. */
  readonly operation?: 'void';
  /** Whether QuickBooks only replaces the object as a whole. */
  readonly isWhole?: boolean;
}

/**
 * Changes the fields that the body has, of the version that was read: QuickBooks refuses any other one. The key names
 * the version, as the refusal would be repeated to the next one. An object that is not there has no version, and is
 * refused whatever the version is.
 */
export function changeIn(
  { entity, id, operation, isWhole = false }: Change,
  body: PlatformObject,
  { marker, current }: Pick<WriteTools, 'marker' | 'current'>,
): WriteRequest {
  // What is not known must not be replaced.
  const whole = isWhole ? current : null;
  const SyncToken = textOf(current?.['SyncToken']) ?? '0';
  return {
    method: 'POST',
    path: pathOf(entity),
    query: { ...(operation && { operation }), requestid: `${marker}-${SyncToken}` },
    body: bodyOf(whole ? replaced(whole, body) : body, { Id: id, SyncToken, sparse: whole === null }),
  };
}

/** What QuickBooks computes. */
const COMPUTED = ['domain', 'MetaData', 'TotalAmt', 'Balance', 'HomeBalance'];
/** What it computes of lines. */
const OF_LINES = ['TxnTaxDetail'];

/** The object as it is with the fields that the body has. Taxes of new lines are computed anew. */
function replaced(whole: PlatformObject, body: PlatformObject): PlatformObject {
  const gone = [...COMPUTED, ...(body['Line'] === undefined ? [] : OF_LINES)];
  const kept = Object.entries(whole).filter(([name]) => !gone.includes(name));
  return bodyOf(Object.fromEntries(kept), body);
}

/** With these a create would change another object, and a change another version. */
const OWN = ['Id', 'SyncToken', 'sparse'];

/** QuickBooks' own fields, passed on unchanged. */
export const ownFields = () =>
  rawData().refine(
    (fields) => !OWN.some((name) => name in fields),
    `must not have ${OWN.join(', ')}: these say which object is written, and are sent for platform_id`,
  );
