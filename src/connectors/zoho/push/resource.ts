import { type RecordDefinition } from '../../../records/define.js';
import { type PlatformClient, type PlatformObject } from '../../platform.js';
import { type PushResource, type ReferenceNeed, type WriteForm, type WriteRequest } from '../../push.js';
import { withContext } from '../../values/platform-json.js';
import { objectOf, textOf } from '../../values/platform-values.js';
import { readOne } from '../details.js';
import { type Searched } from './find.js';
import { refusalOf, type Subjects } from './refusal.js';
import { inPath } from './values.js';

interface ZohoPush {
  readonly definition: RecordDefinition;
  readonly list: Searched;
  readonly create: WriteForm;
  readonly update?: WriteForm;
  /** Item fields by patterns of Zoho's names and messages, the most specific first. */
  readonly subjects: Subjects;
  readonly find?: PushResource['find'];
  readonly reads?: readonly ReferenceNeed[];
  readonly changesAlong?: PushResource['changesAlong'];
  /** Other names of the object in an answer to a write. */
  readonly names?: readonly string[];
  /** Whether an object is read again, as a further request has changed it. */
  readonly isOutdated?: (written: PlatformObject) => boolean;
  readonly warned?: PushResource['warned'];
}

/** A record type that can be written to Zoho Books, which has no idempotency keys. */
export function zohoPush(push: ZohoPush): PushResource {
  const { definition, list, create, update = null, subjects, find, reads = [], changesAlong, warned } = push;
  const { names = [], isOutdated = () => false } = push;
  return {
    definition,
    create,
    update,
    reads,
    written: (answer, request) => writtenIn([list.one, ...names], answer) ?? namedBy(list, request),
    ...(find && { find }),
    ...(update && {
      readBack: (client, written) =>
        isNamed(written) || isOutdated(written) ? readAgain(list, client, written) : Promise.resolve(written),
    }),
    ...(changesAlong && { changesAlong }),
    ...(warned && { warned }),
    refusal: (answer) => refusalOf(answer, subjects),
  };
}

const writtenIn = (names: readonly string[], answer: PlatformObject): PlatformObject | null =>
  names.map((name) => objectOf(answer[name])).find((object) => object !== null) ?? null;

/** Notes that only the id of an object is known. */
const NAMED = 'svc_named';
const isNamed = (written: PlatformObject): boolean => written[NAMED] === true;

/** The object whose status a request changed: the answer does not have it. */
function namedBy({ path, idName }: Searched, request: WriteRequest): PlatformObject | null {
  const [, , id = '', word] = request.path.split('/');
  return word === undefined || !request.path.startsWith(`/${path}/`)
    ? null
    : withContext({ [idName]: id }, { [NAMED]: true });
}

const readAgain = async (
  list: Searched,
  client: PlatformClient,
  written: PlatformObject,
): Promise<PlatformObject> => (await readOne(list, client, textOf(written[list.idName]) ?? '')) ?? written;

export const createIn = (
  { path }: Searched,
  body: PlatformObject,
  query?: Readonly<Record<string, string>>,
): WriteRequest => ({ method: 'POST', path: `/${path}`, ...(query && { query }), body });

export const changeIn = (
  { path }: Searched,
  id: unknown,
  body: PlatformObject,
  query?: Readonly<Record<string, string>>,
): WriteRequest => ({ method: 'PUT', path: `/${path}/${inPath(id)}`, ...(query && { query }), body });

/** Changes the status, by a call of its own: `inactive`, `status/void`. */
export const statusIn = ({ path }: Searched, id: unknown, word: string): WriteRequest => ({
  method: 'POST',
  path: `/${path}/${inPath(id)}/${word}`,
  body: null,
});

/** Whether an item changes the status, and nothing else. */
export const isStatusAlone = (item: Readonly<Record<string, unknown>>): boolean =>
  item['status'] !== undefined &&
  Object.entries(item).every(([name, value]) => value === undefined || UNCHANGING.includes(name));

const UNCHANGING: readonly string[] = ['platform_id', 'status', 'expected_version'];
