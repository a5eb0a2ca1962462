import { type PlatformClient, type PlatformObject } from '../../platform.js';
import { type LostWrite } from '../../push.js';
import { textOf } from '../../values/platform-values.js';
import { listOf, unexpectedAnswer } from '../../values/required-values.js';
import { ZOHO_TITLE } from '../client.js';
import { readOne } from '../details.js';
import { idOf, LARGEST, type ZohoList } from '../lists.js';

/** A list in which a written object is looked for. */
export interface Searched extends ZohoList {
  /** The name of an object in the answer to its own call. */
  readonly one: string;
}

/** How a list is searched for an object that was written, and how it is recognised. */
interface Search {
  readonly query: Readonly<Record<string, string>>;
  /** Whether it is what was searched for, by a row of the list; null if the row does not say. */
  readonly isRow: (row: PlatformObject) => boolean | null;
  /** Whether it is the object that was written. */
  readonly isIt: (object: PlatformObject) => boolean;
}

/**
 * The object that a write made. A list that has other objects than those it was asked for has not been searched: from
 * such an answer nobody may conclude that an object is not there.
 */
export async function findIn(
  list: Searched,
  client: PlatformClient,
  { query, isRow, isIt }: Search,
  besides: string | undefined,
): Promise<PlatformObject | null> {
  const answer = await client.get(`/${list.path}`, { query: { ...query, per_page: String(LARGEST) } });
  const rows = listOf(ZOHO_TITLE, answer, list.name ?? list.path);
  const verdicts = rows.map(isRow);
  const isUnsaid = verdicts.filter((verdict) => verdict === null).length > MAX_READ;
  if (verdicts.includes(false) || isUnsaid || rows.length >= LARGEST) {
    throw unexpectedAnswer(ZOHO_TITLE, `must search ${list.path} by ${Object.keys(query).join(' and ')}`);
  }
  const [other] = besides?.split(':') ?? [];
  for (const row of rows) {
    const id = idOf(list, row);
    const object = id === other ? null : await readOne(list, client, id);
    if (object && isIt(object)) return object;
  }
  return null;
}

/** Objects that the list does not tell enough of are read one by one. */
const MAX_READ = 10;

const REFERENCE = 'reference_number';

/** By the reference, which is the marker. */
export const findByReference =
  (list: Searched) =>
  (client: PlatformClient, { marker, besides }: LostWrite): Promise<PlatformObject | null> => {
    const isIt = (object: PlatformObject) => textOf(object[REFERENCE]) === marker;
    const isRow = (row: PlatformObject) => (row[REFERENCE] === undefined ? null : isIt(row));
    return findIn(list, client, { query: { [REFERENCE]: marker }, isRow, isIt }, besides);
  };
