import { absentOn404 } from '../client/platform-errors.js';
import { type PlatformClient, type PlatformObject } from '../platform.js';
import { type PulledPage, type PullOptions, type Sweep } from '../pull.js';
import { objectOf } from '../values/platform-values.js';
import { unexpectedAnswer } from '../values/required-values.js';
import { ZOHO_TITLE } from './client.js';
import { idOf, LARGEST, listPages, type ZohoList } from './lists.js';

/** A list whose objects lack their lines: each is read by a call of its own. */
export interface DetailedList extends ZohoList {
  /** The name of the object in that call's answer. */
  readonly one: string;
}

/** A page of everything is as many calls, which a sync that is interrupted in it makes again. */
const PAGE_SIZE = 50;

/** The changed objects of a list, complete. */
export async function* detailedPages(
  list: DetailedList,
  client: PlatformClient,
  options: PullOptions,
): AsyncGenerator<PulledPage> {
  // Few of a list have changed.
  const size = options.since === null ? PAGE_SIZE : LARGEST;
  for await (const { objects, cursor } of listPages(list, client, options, { size })) {
    const complete: PlatformObject[] = [];
    for (const object of objects) {
      const found = await readOne(list, client, idOf(list, object));
      if (found) complete.push(found);
    }
    yield { objects: complete, cursor };
  }
}

/** One object by its id; null if there is none. */
export async function readOne(
  { path, one, idName }: DetailedList,
  client: PlatformClient,
  id: string,
): Promise<PlatformObject | null> {
  if (!/^\d{1,30}$/.test(id)) return null;
  const answer = await client.get(`/${path}/${id}`).catch(absentOn404);
  if (answer === null) return null;
  const object = objectOf(answer[one]);
  if (!object || idOf({ idName }, object) !== id) {
    throw unexpectedAnswer(ZOHO_TITLE, `must answer with the ${one} ${id}`);
  }
  return object;
}

/** A sweep of the ids of all objects. */
export const sweepOf = (list: ZohoList): Sweep => ({
  kind: 'sweep',
  async *pages(client, { cursor }) {
    const listed = listPages(list, client, { since: null, cursor }, { isToTheLast: true });
    for await (const { objects, cursor: next } of listed) {
      yield { platformIds: objects.map((object) => idOf(list, object)), cursor: next };
    }
  },
});
